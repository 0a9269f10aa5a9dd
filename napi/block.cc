#include "block.h"

#include <algorithm>
#include <new>

namespace rumongo {

namespace {
// Keeps the data on a cache line of its own, which also gives the 8-byte alignment that chunks need.
constexpr size_t kHeader = (sizeof(Block) + 63) & ~size_t{63};
}  // namespace

Block* Block::Allocate(uint32_t kind, size_t size) {
  size_t units = 0;
  void* memory = size > SIZE_MAX / 2 ? nullptr : AcquireUnits(UnitsFor(kHeader + size), &units);
  if (memory == nullptr) return nullptr;
  Block* block = new (memory) Block();
  block->data = static_cast<uint8_t*>(memory) + kHeader;
  block->capacity = units * kUnit - kHeader;
  block->kind = kind;
  block->units = units;
  return block;
}

void Block::Unref() {
  if (refs.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  const size_t had = units;
  this->~Block();
  ReleaseUnits(this, had);
}

Block* BlockPool::Take(size_t size) {
  const size_t units = UnitsFor(kHeader + size);
  const size_t most = std::min(units + units / 4, kCachedUnits);
  for (size_t n = units; n <= most; n++) {
    if (free_[n].empty()) continue;
    // The last one in is the one most likely still in a cache.
    Block* block = free_[n].back();
    free_[n].pop_back();
    free_units_ -= n;
    block->custodian = Custodian::kGo;
    return block;
  }
  return nullptr;
}

bool BlockPool::Put(Block* block, bool must) {
  if (block->kind != RMG_KIND_FRAMES || block->units > kCachedUnits) return false;
  if (!must && free_units_ + block->units > kMaxFreeUnits) return false;
  block->custodian = Custodian::kPool;
  free_[block->units].push_back(block);
  free_units_ += block->units;
  return true;
}

void BlockPool::Clear() {
  for (auto& list : free_) {
    for (Block* block : list) block->Unref();
    list.clear();
  }
  free_units_ = 0;
}

}  // namespace rumongo
