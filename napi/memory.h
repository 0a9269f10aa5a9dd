// Where blocks get their memory: whole 64 KB units from the system, with a small cache for the process.
//
// Not malloc: blocks are large, are freed in bulk when V8 collects, and come from many threads. Measured with malloc, a
// process that had held 100 MB of blocks kept them for ever in its arenas. Mapping anew each time costs a page fault per
// 4 KB, which on a virtual machine were half the wall time of a lazy read of 36 MB: 145 ms, 120 with the pages faulted in
// at once, 58 with huge pages. So a cache keeps some, and large areas are cut from slabs of huge pages. An area that is
// freed is unmapped; the system takes the rest of its huge page apart when it needs the memory.
#pragma once

#include <cstddef>

namespace rumongo {

constexpr size_t kUnit = 64 << 10;
constexpr size_t kCachedUnits = 64;  // larger areas (over 4 MB) go straight back to the system

inline size_t UnitsFor(size_t bytes) { return (bytes + kUnit - 1) / kUnit; }

// At least units units; *got says how many. nullptr when the system has none. From any thread.
void* AcquireUnits(size_t units, size_t* got);
// What the process holds now. areas: acquired and not released, with their bytes. idle_bytes: released and kept for the next.
struct MemoryUse {
  size_t areas;
  size_t bytes;
  size_t idle_bytes;
};
MemoryUse CurrentMemoryUse();

// Partner of AcquireUnits, with what it said.
void ReleaseUnits(void* memory, size_t units);

}  // namespace rumongo
