#include "block.h"

#include <cstdlib>
#include <new>

namespace rumongo {

namespace {
// Keeps the data on a cache line of its own, which also gives the 8-byte alignment that chunks need.
constexpr size_t kHeader = (sizeof(Block) + 63) & ~size_t{63};
}  // namespace

Block* Block::Allocate(uint32_t kind, size_t size, int size_class) {
  void* memory = nullptr;
  if (size > SIZE_MAX - kHeader || posix_memalign(&memory, 64, kHeader + size) != 0) return nullptr;
  Block* block = new (memory) Block();
  block->data = static_cast<uint8_t*>(memory) + kHeader;
  block->capacity = size;
  block->kind = kind;
  block->size_class = size_class;
  return block;
}

void Block::Unref() {
  if (refs.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  this->~Block();
  free(this);
}

int BlockPool::ClassOf(size_t size) {
  for (int i = 0; i < kClasses; i++) {
    if (size <= ClassBytes(i)) return i;
  }
  return -1;
}

Block* BlockPool::Take(size_t size) {
  int size_class = ClassOf(size);
  if (size_class < 0 || free_[size_class].empty()) return nullptr;
  // The last one in is the one most likely still in a cache.
  Block* block = free_[size_class].back();
  free_[size_class].pop_back();
  free_bytes_ -= block->capacity;
  block->custodian = Custodian::kGo;
  return block;
}

bool BlockPool::Put(Block* block, bool must) {
  if (block->size_class < 0 || (!must && free_bytes_ + block->capacity > kMaxFree)) return false;
  block->custodian = Custodian::kPool;
  free_[block->size_class].push_back(block);
  free_bytes_ += block->capacity;
  return true;
}

void BlockPool::Clear() {
  for (auto& list : free_) {
    for (Block* block : list) block->Unref();
    list.clear();
  }
  free_bytes_ = 0;
}

}  // namespace rumongo
