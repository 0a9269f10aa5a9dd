// Commands from the JavaScript thread on their way to Go. There are two buffers: one is filled while Go reads the other,
// so queueing a command is a copy and, for the first one, the system call that wakes a goroutine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>

#include "napi_setup.h"

namespace rumongo {

class Outbox {
 public:
  ~Outbox();
  // Before the first Push: what rmg_env_open has filled in.
  void SetWakeFds(const int (&fds)[RMG_LISTENERS]);

  // JavaScript thread. False when there is no memory.
  bool Push(uint32_t op, uint64_t token, uint64_t argument, const uint8_t* body, size_t body_size,
            const uint8_t* params, size_t params_size);
  // One Go thread at a time: all that is queued. Valid until the next call.
  const uint8_t* Take(int listener, size_t* size);

 private:
  struct Buffer {
    uint8_t* data = nullptr;
    size_t used = 0;
    size_t capacity = 0;
  };
  int Waiting();
  static void Wake(int wake_fd);  // -1: nobody

  // A buffer that a burst of large commands has grown beyond this is given back.
  static constexpr size_t kKeep = 256 << 10;

  std::mutex mu_;
  int wake_fds_[RMG_LISTENERS];       // guarded by mu_, as are the next two
  bool waiting_[RMG_LISTENERS] = {};  // the listener has found nothing and has not been woken since
  Buffer filling_;
  Buffer taken_;  // Go's
};

}  // namespace rumongo
