#include "event_log.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace rumongo {

bool EventLog::Append(const rmg_event& event, const uint8_t* info, const uint8_t* body) {
  const size_t size = (sizeof(rmg_event) + size_t{event.info_size} + event.body_size + 7) & ~size_t{7};
  while (!empty() && used_ - head_ + size > kMaxBytes) DropOldest();
  if (size > UINT32_MAX || !Reserve(size)) {
    dropped_++;
    return false;
  }
  rmg_event header = event;
  header.size = static_cast<uint32_t>(size);
  uint8_t* at = data_ + used_;
  memcpy(at, &header, sizeof(header));
  at += sizeof(header);
  if (event.info_size > 0) memcpy(at, info, event.info_size);
  if (event.body_size > 0) memcpy(at + event.info_size, body, event.body_size);
  used_ += size;
  return true;
}

bool EventLog::Reserve(size_t size) {
  if (capacity_ - used_ >= size) return true;
  // Half of it free: moving the rest costs no more than what has been dropped cost to write.
  if (head_ > 0 && head_ >= used_ / 2) {
    Compact();
    if (capacity_ - used_ >= size) return true;
  }
  const size_t capacity = std::max(capacity_ * 2, used_ + size + 4096);
  auto* data = static_cast<uint8_t*>(realloc(data_, capacity));
  if (data == nullptr) return false;
  data_ = data;
  capacity_ = capacity;
  return true;
}

void EventLog::DropOldest() {
  rmg_event oldest;
  memcpy(&oldest, data_ + head_, sizeof(oldest));
  head_ += oldest.size;
  dropped_++;
}

void EventLog::Compact() {
  memmove(data_, data_ + head_, used_ - head_);
  used_ -= head_;
  head_ = 0;
}

void EventLog::MoveTo(uint8_t* memory) {
  memcpy(memory, data_ + head_, size());
  head_ = used_ = 0;
}

uint8_t* EventLog::Take(size_t* size) {
  if (head_ > 0) Compact();
  uint8_t* data = data_;
  *size = used_;
  data_ = nullptr;
  head_ = used_ = capacity_ = 0;
  return data;
}

void EventLog::Clear() {
  free(data_);
  data_ = nullptr;
  head_ = used_ = capacity_ = 0;
}

}  // namespace rumongo
