#include "outbox.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <utility>

namespace rumongo {

Outbox::~Outbox() {
  free(filling_.data);
  free(taken_.data);
}

bool Outbox::Push(uint32_t op, uint64_t token, uint64_t argument, const uint8_t* body, size_t body_size,
                  const uint8_t* params, size_t params_size) {
  // BSON documents are at most 2 GB; together they must fit the sizes of the header.
  if (body_size > INT32_MAX || params_size > INT32_MAX) return false;
  const size_t size = (sizeof(rmg_command) + body_size + params_size + 7) & ~size_t{7};
  const rmg_command header = {token,
                              argument,
                              op,
                              static_cast<uint32_t>(body_size),
                              static_cast<uint32_t>(params_size),
                              static_cast<uint32_t>(size)};
  int wake_fd = -1;
  {
    std::lock_guard<std::mutex> lock(mu_);
    if (filling_.capacity - filling_.used < size) {
      const size_t capacity = std::max(filling_.capacity * 2, filling_.used + size + 4096);
      auto* data = static_cast<uint8_t*>(realloc(filling_.data, capacity));
      if (data == nullptr) return false;
      filling_.data = data;
      filling_.capacity = capacity;
    }
    uint8_t* at = filling_.data + filling_.used;
    memcpy(at, &header, sizeof(header));
    at += sizeof(header);
    if (body_size > 0) memcpy(at, body, body_size);
    if (params_size > 0) memcpy(at + body_size, params, params_size);
    if (filling_.used == 0) wake_fd = Waiting();
    filling_.used += size;
    // Whoever takes this command closes the descriptors, which may be another listener than the one that is woken: it
    // must not come to that before the write, or the number may be somebody else's file by then.
    if (op == RMG_OP_CLOSE_ENV) {
      Wake(wake_fd);
      wake_fd = -1;
    }
  }
  Wake(wake_fd);
  return true;
}

void Outbox::Wake(int wake_fd) {
  const uint64_t one = 1;
  while (wake_fd >= 0 && write(wake_fd, &one, sizeof(one)) < 0 && errno == EINTR) {
  }
}

// The descriptor of a listener that waits. -1: none does, so the last of them, which never does anything else for long, is
// about to look. Under mu_.
int Outbox::Waiting() {
  for (int i = 0; i < RMG_LISTENERS; i++) {
    if (waiting_[i]) {
      waiting_[i] = false;
      return wake_fds_[i];
    }
  }
  return -1;
}

void Outbox::SetWakeFds(const int (&fds)[RMG_LISTENERS]) {
  std::lock_guard<std::mutex> lock(mu_);
  std::copy(std::begin(fds), std::end(fds), wake_fds_);
}

const uint8_t* Outbox::Take(int listener, size_t* size) {
  if (taken_.capacity > kKeep) {
    free(taken_.data);
    taken_ = Buffer();
  }
  taken_.used = 0;
  std::lock_guard<std::mutex> lock(mu_);
  waiting_[listener] = filling_.used == 0;
  std::swap(filling_, taken_);
  *size = taken_.used;
  return taken_.data;
}

}  // namespace rumongo
