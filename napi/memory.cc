#include "memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <mutex>

// npm run sanitize: what waits in the cache must not be touched. AddressSanitizer knows malloc, not these areas.
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(memory, size) ((void)0)
#define ASAN_UNPOISON_MEMORY_REGION(memory, size) ((void)0)
#endif

namespace rumongo {

namespace {

// Enough for the blocks that one large lazy read frees while the next one runs.
constexpr size_t kMaxCachedUnits = (16 << 20) / kUnit;

// A free area keeps the link in its own first bytes.
struct Area {
  Area* next;
};

// Static and without destructors: Go's threads outlive exit().
std::mutex cache_mu;
Area* cache[kCachedUnits + 1];  // by units
size_t cached_units;
std::atomic<size_t> used_areas{0};
std::atomic<size_t> used_units{0};

void* Acquired(void* memory, size_t units) {
  used_areas.fetch_add(1, std::memory_order_relaxed);
  used_units.fetch_add(units, std::memory_order_relaxed);
  return memory;
}

}  // namespace

void* AcquireUnits(size_t units, size_t* got) {
  if (units <= kCachedUnits) {
    std::lock_guard<std::mutex> lock(cache_mu);
    // Chunks of one collection differ by a few percent, so a slightly larger area will do.
    const size_t most = std::min(units + units / 4, kCachedUnits);
    for (size_t n = units; n <= most; n++) {
      if (Area* area = cache[n]) {
        cache[n] = area->next;
        cached_units -= n;
        *got = n;
        ASAN_UNPOISON_MEMORY_REGION(area, n * kUnit);
        return Acquired(area, n);
      }
    }
  }
  if (units > SIZE_MAX / kUnit) return nullptr;
  void* memory = mmap(nullptr, units * kUnit, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  *got = units;
  return Acquired(memory, units);
}

MemoryUse CurrentMemoryUse() {
  std::lock_guard<std::mutex> lock(cache_mu);
  return {used_areas.load(std::memory_order_relaxed), used_units.load(std::memory_order_relaxed) * kUnit,
          cached_units * kUnit};
}

void ReleaseUnits(void* memory, size_t units) {
  used_areas.fetch_sub(1, std::memory_order_relaxed);
  used_units.fetch_sub(units, std::memory_order_relaxed);
  if (units <= kCachedUnits) {
    std::lock_guard<std::mutex> lock(cache_mu);
    if (cached_units + units <= kMaxCachedUnits) {
      auto* area = static_cast<Area*>(memory);
      area->next = cache[units];
      cache[units] = area;
      cached_units += units;
      ASAN_POISON_MEMORY_REGION(area + 1, units * kUnit - sizeof(Area));
      return;
    }
  }
  munmap(memory, units * kUnit);
}

}  // namespace rumongo
