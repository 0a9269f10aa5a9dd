// The part of EnvState that deals with blocks: from Go to JavaScript and back. block.h has the rules.
#include <cstring>

#include "env_state.h"

namespace rumongo {

namespace {

void UnrefBlock(napi_env, void*, void* block) { static_cast<Block*>(block)->Unref(); }

void UnrefLazy(napi_env, void*, void* data) {
  auto* block = static_cast<Block*>(data);
  EnvState* counter = block->counter;
  counter->CountLazy(-1, -static_cast<int64_t>(block->wrapped_bytes));
  block->Unref();
  counter->Unref();  // partner: Wrap
}

}  // namespace

napi_value CopyOf(napi_env env, const uint8_t* data, size_t size) {
  void* copy;
  napi_value buffer;
  if (napi_create_arraybuffer(env, size, &copy, &buffer) != napi_ok) return nullptr;
  if (size > 0) memcpy(copy, data, size);
  return buffer;
}

Block* EnvState::AllocateBlock(uint32_t kind, size_t size) {
  if (kind == RMG_KIND_FRAMES) {
    std::lock_guard<std::mutex> lock(mu_);
    if (Block* block = pool_.Take(size)) return block;
  }
  return Block::Allocate(kind, size);
}

// Go gives back a block it has not delivered.
void EnvState::DropBlock(Block* block) {
  std::lock_guard<std::mutex> lock(mu_);
  // One that JavaScript knows by number came from the pool and must go back there: JavaScript cannot be told now that
  // its number has become void.
  if (!dead_ && pool_.Put(block, block->slot != kNoSlot)) return;
  block->Unref();
}

Block* EnvState::BlockAt(uint32_t slot) {
  std::lock_guard<std::mutex> lock(mu_);
  if (slot >= slots_.size()) return nullptr;
  Block* block = slots_[slot];
  return block != nullptr && block->custodian == Custodian::kJs ? block : nullptr;
}

// JavaScript forgets the block's number. Under mu_.
void EnvState::FreeSlot(Block* block) {
  slots_[block->slot] = nullptr;
  free_slots_.push_back(block->slot);
  block->slot = kNoSlot;
}

// The ArrayBuffer of a delivered block: of a pooled one over its whole capacity, to be kept by JavaScript; of another
// one over its length, with the block's life in its hands. undefined when the runtime refuses external ArrayBuffers.
napi_value EnvState::Wrap(napi_env env, uint32_t slot, size_t length) {
  Block* block = BlockAt(slot);
  if (block == nullptr || block->wrapped || length > block->capacity) {
    napi_throw_error(env, nullptr, "no such block");
    return nullptr;
  }
  const bool pooled = block->kind == RMG_KIND_FRAMES;
  const bool lazy = block->kind == RMG_KIND_LAZY;
  napi_value buffer;
  napi_status status = napi_create_external_arraybuffer(env, block->data, pooled ? block->capacity : length,
                                                        lazy ? UnrefLazy : UnrefBlock, block, &buffer);
  if (status == napi_no_external_buffers_allowed) return nullptr;
  if (status != napi_ok) {
    napi_throw_error(env, nullptr, "cannot wrap a block");
    return nullptr;
  }
  block->wrapped = true;
  if (lazy) {
    block->counter = this;
    block->wrapped_bytes = length;
    refs_.fetch_add(1, std::memory_order_relaxed);  // the block's; partner: UnrefLazy
    CountLazy(1, static_cast<int64_t>(length));
  }
  if (pooled) {
    block->refs.fetch_add(1, std::memory_order_relaxed);  // the ArrayBuffer's; partner: UnrefBlock
  } else {
    std::lock_guard<std::mutex> lock(mu_);
    FreeSlot(block);
  }
  return buffer;
}

// A copy of a delivered block, which goes back at once.
napi_value EnvState::Copy(napi_env env, uint32_t slot, size_t length) {
  Block* block = BlockAt(slot);
  if (block == nullptr || length > block->capacity) {
    napi_throw_error(env, nullptr, "no such block");
    return nullptr;
  }
  napi_value buffer = CopyOf(env, block->data, length);
  Release(slot);
  return buffer;
}

// JavaScript is done with a delivered block. True: the pool has it and JavaScript keeps its ArrayBuffer. False: the
// number means nothing any more and JavaScript must drop the ArrayBuffer, if it made one.
bool EnvState::Release(uint32_t slot) {
  Block* block = BlockAt(slot);
  if (block == nullptr) return false;
  std::lock_guard<std::mutex> lock(mu_);
  if (pool_.Put(block)) return true;
  FreeSlot(block);
  block->Unref();
  return false;
}

void EnvState::CountLazy(int64_t blocks, int64_t bytes) {
  lazy_blocks_.fetch_add(blocks, std::memory_order_relaxed);
  lazy_bytes_.fetch_add(bytes, std::memory_order_relaxed);
}

size_t EnvState::pool_bytes() {
  std::lock_guard<std::mutex> lock(mu_);
  return pool_.free_bytes();
}

}  // namespace rumongo
