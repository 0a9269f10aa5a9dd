#include "memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
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

// Areas from this size on are cut from slabs of huge pages.
constexpr size_t kCutUnits = (256 << 10) / kUnit;
constexpr size_t kSlabUnits = (8 << 20) / kUnit;
constexpr uintptr_t kHugePage = 2 << 20;

// A free area keeps the link in its own first bytes.
struct Area {
  Area* next;
};

// Static and without destructors: Go's threads outlive exit().
std::mutex cache_mu;
Area* cache[kCachedUnits + 1];  // by units
size_t cached_units;
char* slab;  // what is left of the last one, slab_units long
size_t slab_units;
std::atomic<size_t> used_areas{0};
std::atomic<size_t> used_units{0};

void* Acquired(void* memory, size_t units) {
  used_areas.fetch_add(1, std::memory_order_relaxed);
  used_units.fetch_add(units, std::memory_order_relaxed);
  return memory;
}

char* Map(size_t size) {
  void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<char*>(memory);
}

// Aligned to huge pages, where the system has them and lets programs ask; else pages of the usual size come.
char* MapHuge(size_t size) {
#ifdef MADV_HUGEPAGE
  if (size > SIZE_MAX - kHugePage) return nullptr;
  char* start = Map(size + kHugePage);
  if (start == nullptr) return Map(size);
  const size_t before = -reinterpret_cast<uintptr_t>(start) & (kHugePage - 1);
  if (before > 0) munmap(start, before);
  munmap(start + before + size, kHugePage - before);
  madvise(start + before, size, MADV_HUGEPAGE);
  return start + before;
#else
  return Map(size);
#endif
}

// Under cache_mu. What is left of the slab before is given back: it was never written.
char* CutFromSlab(size_t units) {
  if (slab_units < units) {
    if (slab_units > 0) munmap(slab, slab_units * kUnit);
    slab = MapHuge(kSlabUnits * kUnit);
    slab_units = slab == nullptr ? 0 : kSlabUnits;
    if (slab == nullptr) return nullptr;
  }
  char* memory = slab;
  slab += units * kUnit;
  slab_units -= units;
  return memory;
}

char* FreshUnits(size_t units) {
  if (units < kCutUnits) return Map(units * kUnit);
  if (units > kCachedUnits) return MapHuge(units * kUnit);
  std::lock_guard<std::mutex> lock(cache_mu);
  return CutFromSlab(units);
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
  void* memory = FreshUnits(units);
  if (memory == nullptr) return nullptr;
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
