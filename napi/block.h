// C-owned memory for one chunk, and the pool that reuses it.
//
// Rules:
//  1. A block has one custodian at a time: Go (being written), the inbox (queued), JavaScript (between delivery and
//     release), or the pool (free). Custody is one reference.
//  2. A pooled block is wrapped in an external ArrayBuffer at most once in its life: wrapping a megabyte costs about 20
//     microseconds with its collection, making a view 0.1. The ArrayBuffer is the second reference. JavaScript keeps it,
//     by slot, and there are never two: two would be silent corruption.
//  3. Memory is freed when both are gone. So Go may still be writing when the environment dies, and JavaScript may still
//     hold an ArrayBuffer whose block the pool has dropped.
//  4. A lazy or reply block is sized exactly and not pooled: wrapping hands its custody to the ArrayBuffer. Until that is
//     collected the environment counts it.
//
// V8 counts the bytes of an external ArrayBuffer by itself, so napi_adjust_external_memory is not called: it would count
// them twice.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "memory.h"
#include "napi_setup.h"

namespace rumongo {

class EnvState;

constexpr uint32_t kNoSlot = 0xffffffff;

enum class Custodian { kGo, kJs, kPool };  // kJs: delivered, from the inbox on

struct Block : rmg_block {
  std::atomic<int> refs{1};  // custody, and the ArrayBuffer once there is one
  Custodian custodian = Custodian::kGo;
  uint32_t kind = 0;
  uint32_t slot = kNoSlot;  // where JavaScript knows it; set on delivery
  size_t units = 0;         // of memory, this header included
  bool wrapped = false;
  size_t wrapped_bytes = 0;     // of a lazy block, once wrapped: what its environment counts
  EnvState* counter = nullptr;  // and that environment, with a reference

  static Block* Allocate(uint32_t kind, size_t size);
  void Unref();  // from any thread
};

// The free blocks of one environment. The environment's lock guards it.
class BlockPool {
 public:
  // Takes a free block that holds size bytes, or nullptr.
  Block* Take(size_t size);
  // Keeps block for reuse. False when it is not of a kind to keep or, unless must, when the pool has enough: the caller
  // keeps custody and lets go of it.
  bool Put(Block* block, bool must = false);
  // Gives up every free block.
  void Clear();
  size_t free_bytes() const { return free_units_ * kUnit; }

 private:
  // One fetch window's worth: more could only be free after several reads ran at once.
  static constexpr size_t kMaxFreeUnits = (32 << 20) / kUnit;

  std::vector<Block*> free_[kCachedUnits + 1];  // by units
  size_t free_units_ = 0;
};

}  // namespace rumongo
