// Commands from the JavaScript thread on their way to Go. There are two buffers: one is filled while Go reads the other,
// so queueing a command is a copy and, for the first one, one byte on a pipe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>

#include "napi_setup.h"

namespace rumongo {

class Outbox {
 public:
  ~Outbox();
  void SetWakeFd(int fd) { wake_fd_ = fd; }

  // JavaScript thread. False when there is no memory.
  bool Push(uint32_t op, uint64_t token, uint64_t argument, const uint8_t* body, size_t body_size,
            const uint8_t* params, size_t params_size);
  // One Go thread at a time: all that is queued. Valid until the next call.
  const uint8_t* Take(size_t* size);

 private:
  struct Buffer {
    uint8_t* data = nullptr;
    size_t used = 0;
    size_t capacity = 0;
  };
  // A buffer that a burst of large commands has grown beyond this is given back.
  static constexpr size_t kKeep = 256 << 10;

  int wake_fd_ = -1;
  std::mutex mu_;
  Buffer filling_;  // guarded by mu_
  Buffer taken_;    // Go's
};

}  // namespace rumongo
