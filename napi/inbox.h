// Where completions wait for the JavaScript thread: records with their small payloads, one after the other, in memory
// that JavaScript has typed arrays over. So reading a completion makes no Node-API call and no V8 object.
//
// There are two arenas: Go writes into one while JavaScript reads the other. They are ordinary ArrayBuffers, owned by
// V8 and kept by references, which every runtime allows. What does not fit goes to malloc'd arenas of the same format,
// in order, so that no completion ever waits or is lost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "napi_setup.h"

namespace rumongo {

// One record: this header, the payload, zeros up to a multiple of 8. The mirror is RECORD in js/native/chunk.js.
struct RecordHeader {
  double token;
  uint32_t kind_and_flags;  // kind | flags << 8
  uint32_t count;
  uint32_t length;  // bytes of payload
  uint32_t slot;    // the payload's block, or kNoSlot when it follows
  uint32_t size;    // bytes of the whole record
  uint32_t unused;
};
static_assert(sizeof(RecordHeader) == 32, "js/native/chunk.js reads 32 bytes");

struct Arena {
  uint8_t* data = nullptr;
  size_t capacity = 0;
  size_t used = 0;
};

// The environment's lock guards it, except for the arena that is being read.
class Inbox {
 public:
  // 16 of the largest inline payloads, or some thousand small ones.
  static constexpr size_t kArenaBytes = 512 << 10;

  void SetArena(int index, uint8_t* data) { arenas_[index] = {data, kArenaBytes, 0}; }
  // False when there is no memory for it.
  bool Append(const rmg_completion& completion, uint32_t slot);
  // Hands over what has arrived: the arena to read, and what overflowed it. The other arena is written from now on.
  int Swap(std::vector<Arena>* overflow);
  const Arena& arena(int index) const { return arenas_[index]; }
  // The arena is read and may be written again: partner of Swap.
  void Reset(int index) { arenas_[index].used = 0; }
  bool empty() const { return arenas_[writing_].used == 0 && overflow_.empty(); }
  void Clear();

 private:
  Arena* Room(size_t size);

  Arena arenas_[2];
  int writing_ = 0;
  std::vector<Arena> overflow_;
};

}  // namespace rumongo
