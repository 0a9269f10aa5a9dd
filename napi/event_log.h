// Events on their way to JavaScript: records one after the other, in one block of memory. Few are copied into an arena that
// JavaScript has typed arrays over, as completions are; many are handed over as they are.
//
// Unlike completions they may be lost: when nobody reads them, because the JavaScript thread is busy, the oldest go.
#pragma once

#include <cstddef>
#include <cstdint>

#include "napi_setup.h"

namespace rumongo {

// The environment's lock guards it.
class EventLog {
 public:
  // Replies are part of events, so that bytes are the bound that matters. One event may be larger than that.
  static constexpr size_t kMaxBytes = 32 << 20;
  static constexpr size_t kArenaBytes = 64 << 10;

  ~EventLog() { Clear(); }
  // False when there is no memory for it: the event is dropped, and counted.
  bool Append(const rmg_event& event, const uint8_t* info, const uint8_t* body);
  size_t size() const { return used_ - head_; }
  // Empties the log into memory of at least size() bytes.
  void MoveTo(uint8_t* memory);
  // Hands over everything; the memory, from malloc, belongs to the caller.
  uint8_t* Take(size_t* size);
  bool empty() const { return head_ == used_; }
  uint64_t dropped() const { return dropped_; }
  void Clear();

 private:
  bool Reserve(size_t size);
  void DropOldest();
  void Compact();

  uint8_t* data_ = nullptr;
  size_t head_ = 0;  // where the oldest record begins
  size_t used_ = 0;
  size_t capacity_ = 0;
  uint64_t dropped_ = 0;
};

}  // namespace rumongo
