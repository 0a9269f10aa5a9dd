#include "inbox.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "block.h"

namespace rumongo {

Arena* Inbox::Room(size_t size) {
  Arena* current = &arenas_[writing_];
  if (overflow_.empty() && current->used + size <= current->capacity) return current;
  if (overflow_.empty() || overflow_.back().used + size > overflow_.back().capacity) {
    size_t capacity = std::max(size, kArenaBytes);
    auto* data = static_cast<uint8_t*>(malloc(capacity));
    if (data == nullptr) return nullptr;
    overflow_.push_back({data, capacity, 0});
  }
  return &overflow_.back();
}

bool Inbox::Append(const rmg_completion& c, uint32_t slot) {
  const size_t payload = slot == kNoSlot ? c.length : 0;
  const size_t size = sizeof(RecordHeader) + ((payload + 7) & ~size_t{7});
  Arena* arena = Room(size);
  if (arena == nullptr) return false;
  RecordHeader header = {
      static_cast<double>(c.token), c.kind | c.flags << 8, c.count, c.length, slot, static_cast<uint32_t>(size), 0};
  uint8_t* at = arena->data + arena->used;
  memcpy(at, &header, sizeof(header));
  if (payload > 0) memcpy(at + sizeof(header), c.data, payload);
  arena->used += size;
  return true;
}

int Inbox::Swap(std::vector<Arena>* overflow) {
  overflow->swap(overflow_);
  int reading = writing_;
  writing_ = 1 - writing_;
  return reading;
}

void Inbox::Clear() {
  for (Arena& arena : overflow_) free(arena.data);
  overflow_.clear();
  arenas_[0].used = arenas_[1].used = 0;
}

}  // namespace rumongo
