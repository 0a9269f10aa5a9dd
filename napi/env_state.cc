#include "env_state.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include "signals.h"

namespace rumongo {

namespace {

void HostComplete(void* env, const rmg_completion* c) { static_cast<EnvState*>(env)->Complete(*c); }

rmg_block* HostBlockAlloc(void* env, uint32_t kind, size_t size) {
  return static_cast<EnvState*>(env)->AllocateBlock(kind, size);
}

void HostBlockDrop(void* env, rmg_block* block) { static_cast<EnvState*>(env)->DropBlock(static_cast<Block*>(block)); }

const uint8_t* HostTakeCommands(void* env, int listener, size_t* size) {
  return static_cast<EnvState*>(env)->outbox().Take(listener, size);
}

int HostEvent(void* env, const rmg_event* event, const uint8_t* info, const uint8_t* body) {
  return static_cast<EnvState*>(env)->AddEvent(*event, info, body) ? 1 : 0;
}

void HostWakeEvents(void* env) { static_cast<EnvState*>(env)->WakeForEvents(); }

void HostEnvRelease(void* env) { static_cast<EnvState*>(env)->Unref(); }

void OnCleanup(void* state) { static_cast<EnvState*>(state)->Close(); }

void OnInstanceData(napi_env, void* state, void*) { static_cast<EnvState*>(state)->Unref(); }

void OnWake(napi_env env, napi_value callback, void* context, void*) {
  // env is nullptr when Node empties the queue of a function it is destroying.
  if (env != nullptr) static_cast<EnvState*>(context)->Drain(env, callback);
}

}  // namespace

EnvState* EnvState::New(napi_env env) {
  auto* state = new (std::nothrow) EnvState(env);
  if (state != nullptr) napi_set_instance_data(env, state, OnInstanceData, nullptr);
  return state;
}

void EnvState::Unref() {
  if (refs_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
}

EnvState::~EnvState() {
  inbox_.Clear();
  pool_.Clear();
}

// Starts the environment: drain(arena, bytes, overflow, events) is called when completions or events have arrived; events
// is how many bytes of them are in their arena, or an ArrayBuffer. Returns the three arenas, that of events last.
napi_value EnvState::Open(napi_env env, napi_value drain) {
  if (open_) {
    napi_throw_error(env, nullptr, "the environment is open already");
    return nullptr;
  }
  napi_value arenas = Prepare(env, drain);
  if (arenas != nullptr) {
    rmg_host host = {HostComplete, HostBlockAlloc, HostBlockDrop, HostTakeCommands,
                     HostEvent,    HostWakeEvents, HostEnvRelease};
    refs_.fetch_add(1, std::memory_order_relaxed);  // Go's; partner: HostEnvRelease
    int wake_fds[RMG_LISTENERS];
    if (rmg_env_open(this, &host, wake_fds) == 0) {
      outbox_.SetWakeFds(wake_fds);
      open_ = true;
      return arenas;
    }
    Unref();
    napi_throw_error(env, nullptr, "cannot open descriptors for the native core: too many open files?");
  }
  // Whoever asks again, when files have been closed, begins anew.
  Undo(env);
  return nullptr;
}

// What an environment needs from Node. nullptr: Undo takes back what there is.
napi_value EnvState::Prepare(napi_env env, napi_value drain) {
  napi_value name;
  napi_value arenas;
  if (napi_create_string_utf8(env, "rumongo-go", NAPI_AUTO_LENGTH, &name) != napi_ok ||
      napi_create_array_with_length(env, 3, &arenas) != napi_ok) {
    return nullptr;
  }
  for (uint32_t i = 0; i < 3; i++) {
    void* data;
    napi_value arena;
    const size_t size = i == 2 ? EventLog::kArenaBytes : Inbox::kArenaBytes;
    if (napi_create_arraybuffer(env, size, &data, &arena) != napi_ok ||
        napi_create_reference(env, arena, 1, &arena_refs_[i]) != napi_ok ||
        napi_set_element(env, arenas, i, arena) != napi_ok) {
      return nullptr;
    }
    if (i == 2) {
      event_arena_ = static_cast<uint8_t*>(data);
    } else {
      inbox_.SetArena(static_cast<int>(i), static_cast<uint8_t*>(data));
    }
  }
  if (napi_create_threadsafe_function(env, drain, nullptr, name, 0, 1, nullptr, nullptr, this, OnWake, &wake_) !=
          napi_ok ||
      napi_unref_threadsafe_function(env, wake_) != napi_ok) {
    return nullptr;
  }
  // After the function's own hook was added, hence run before it (rule 2).
  hooked_ = napi_add_env_cleanup_hook(env, OnCleanup, this) == napi_ok;
  return hooked_ ? arenas : nullptr;
}

// Partner of Prepare where the environment has not been opened.
void EnvState::Undo(napi_env env) {
  if (hooked_) napi_remove_env_cleanup_hook(env, OnCleanup, this);
  hooked_ = false;
  if (wake_ != nullptr) napi_release_threadsafe_function(wake_, napi_tsfn_release);
  wake_ = nullptr;
  DropArenas();
}

void EnvState::DropArenas() {
  for (napi_ref& ref : arena_refs_) {
    if (ref != nullptr) napi_delete_reference(env_, ref);
    ref = nullptr;
  }
}

void EnvState::Close() {
  {
    std::lock_guard<std::mutex> lock(wake_mu_);
    wake_ = nullptr;
  }
  {
    std::lock_guard<std::mutex> lock(mu_);
    dead_ = true;
    inbox_.Clear();
    events_.Clear();
    // The custody JavaScript had ends here; ArrayBuffers over these blocks may still live for a moment.
    for (Block* block : slots_) {
      if (block != nullptr && block->custodian == Custodian::kJs) block->Unref();
    }
    slots_.clear();
    pool_.Clear();
  }
  if (open_) outbox_.Push(RMG_OP_CLOSE_ENV, 0, 0, nullptr, 0, nullptr, 0);
  open_ = false;
  DropArenas();
}

void EnvState::Complete(const rmg_completion& c) {
  if (Enqueue(c)) Wake();
}

// Puts a completion into the inbox. True when the JavaScript thread must be woken for it.
bool EnvState::Enqueue(const rmg_completion& c) {
  std::lock_guard<std::mutex> lock(mu_);
  auto* block = static_cast<Block*>(c.block);
  if (dead_) {
    if (block != nullptr) block->Unref();
    return false;
  }
  uint32_t slot = kNoSlot;
  if (block != nullptr) {
    if (block->slot == kNoSlot) {
      if (free_slots_.empty()) {
        block->slot = static_cast<uint32_t>(slots_.size());
        slots_.push_back(block);
      } else {
        block->slot = free_slots_.back();
        free_slots_.pop_back();
        slots_[block->slot] = block;
      }
    }
    block->custodian = Custodian::kJs;
    slot = block->slot;
  }
  if (!inbox_.Append(c, slot)) {
    // As V8 does when it cannot get memory: going on would leave a promise that never settles.
    fprintf(stderr, "rumongo-go: out of memory for a completion\n");
    abort();
  }
  const bool first = !waking_;
  waking_ = true;
  return first;
}

bool EnvState::AddEvent(const rmg_event& event, const uint8_t* info, const uint8_t* body) {
  std::lock_guard<std::mutex> lock(mu_);
  if (dead_) return false;
  const bool first = events_.empty();
  return events_.Append(event, info, body) && first;
}

void EnvState::WakeForEvents() {
  {
    std::lock_guard<std::mutex> lock(mu_);
    if (dead_ || events_.empty() || waking_) return;
    waking_ = true;
  }
  Wake();
}

uint64_t EnvState::dropped_events() {
  std::lock_guard<std::mutex> lock(mu_);
  return events_.dropped();
}

void EnvState::Wake() {
  std::lock_guard<std::mutex> lock(wake_mu_);
  // The function's queue has no limit, so the call fails only when Node is destroying it.
  if (wake_ != nullptr) napi_call_threadsafe_function(wake_, nullptr, napi_tsfn_nonblocking);
}

// Calls JavaScript once for everything that has arrived.
void EnvState::Drain(napi_env env, napi_value callback) {
  if (draining_) {
    // A sink ran the event loop itself. The arena it was called from must not be written to before it returns.
    drain_again_ = true;
    return;
  }
  draining_ = true;
  KeepChildSignalOffGoStacksNowAndThen();
  do {
    drain_again_ = false;
    std::vector<Arena> overflow;
    int reading;
    size_t used;
    uint8_t* events = nullptr;
    size_t event_bytes = 0;
    {
      std::lock_guard<std::mutex> lock(mu_);
      waking_ = false;
      if (inbox_.empty() && events_.empty()) break;
      event_bytes = events_.size();
      if (event_bytes > EventLog::kArenaBytes) {
        events = events_.Take(&event_bytes);
      } else if (event_bytes > 0) {
        events_.MoveTo(event_arena_);
      }
      reading = inbox_.Swap(&overflow);
      used = inbox_.arena(reading).used;
    }
    napi_value argv[4] = {nullptr, nullptr, nullptr, nullptr};
    napi_value global = nullptr;
    const size_t argc = event_bytes > 0 ? 4 : overflow.empty() ? 2 : 3;
    if (argc > 2 && overflow.empty()) napi_get_undefined(env, &argv[2]);
    if (!overflow.empty()) argv[2] = OverflowArray(env, overflow);
    if (events != nullptr) {
      argv[3] = HandOver(env, events, event_bytes);
    } else if (event_bytes > 0) {
      napi_create_uint32(env, static_cast<uint32_t>(event_bytes), &argv[3]);
    }
    const bool ready = (argc == 2 || argv[2] != nullptr) && (argc < 4 || argv[3] != nullptr) &&
                       napi_create_uint32(env, static_cast<uint32_t>(reading), &argv[0]) == napi_ok &&
                       napi_create_uint32(env, static_cast<uint32_t>(used), &argv[1]) == napi_ok &&
                       napi_get_global(env, &global) == napi_ok;
    // js/native/bridge.js catches what sinks throw. What gets through is a termination.
    const bool called = ready && napi_call_function(env, global, callback, argc, argv, nullptr) == napi_ok;
    {
      std::lock_guard<std::mutex> lock(mu_);
      inbox_.Reset(reading);
    }
    if (!called) break;
  } while (drain_again_);
  draining_ = false;
}

namespace {

void FreeMemory(napi_env, void* data, void*) { free(data); }

}  // namespace

// Memory from malloc as an ArrayBuffer, or nullptr; it is given away in either case.
napi_value EnvState::HandOver(napi_env env, uint8_t* data, size_t size) {
  napi_value buffer = nullptr;
  if (napi_create_external_arraybuffer(env, data, size, FreeMemory, nullptr, &buffer) == napi_ok) return buffer;
  buffer = CopyOf(env, data, size);
  free(data);
  return buffer;
}

// The overflow as an array of ArrayBuffers, or nullptr: calls fail in an environment that is being terminated.
napi_value EnvState::OverflowArray(napi_env env, const std::vector<Arena>& overflow) {
  napi_value array;
  bool ok = napi_create_array_with_length(env, overflow.size(), &array) == napi_ok;
  for (uint32_t i = 0; i < overflow.size(); i++) {
    const Arena& arena = overflow[i];
    napi_value buffer = nullptr;
    if (ok) {
      buffer = HandOver(env, arena.data, arena.used);
    } else {
      free(arena.data);
    }
    ok = ok && buffer != nullptr && napi_set_element(env, array, i, buffer) == napi_ok;
  }
  return ok ? array : nullptr;
}

void EnvState::Hold(napi_env env, bool held) {
  if (held) {
    napi_ref_threadsafe_function(env, wake_);
  } else {
    napi_unref_threadsafe_function(env, wake_);
  }
}

}  // namespace rumongo
