// The addon's exports: each reads its arguments, calls the core or the environment's state, and returns.
// js/native/bridge.js is the only caller; wrong arguments are its bugs, but they throw and do not crash.
#include <cstdlib>
#include <cstring>

#include "env_state.h"
#include "napi_setup.h"
#include "signals.h"

namespace rumongo {

namespace {

EnvState* State(const Napi::CallbackInfo& info) { return static_cast<EnvState*>(info.Data()); }

uint64_t Integer(const Napi::CallbackInfo& info, size_t i) {
  double value = 0;
  // Not a number: 0, which is no token or client that is in use.
  napi_get_value_double(info.Env(), info[i], &value);
  return value >= 0 && value < 9007199254740992.0 ? static_cast<uint64_t>(value) : 0;
}

// A block's number, of which 0 is one: what cannot be one is kNoSlot.
uint32_t Slot(const Napi::CallbackInfo& info, size_t i) {
  double value = -1;
  napi_get_value_double(info.Env(), info[i], &value);
  return value >= 0 && value < kNoSlot ? static_cast<uint32_t>(value) : kNoSlot;
}

struct Bytes {
  uint8_t* data = nullptr;
  size_t size = 0;
  bool ok = false;
};

Bytes ByteArray(const Napi::CallbackInfo& info, size_t i) {
  Bytes bytes;
  napi_typedarray_type type;
  void* data = nullptr;
  bytes.ok = napi_get_typedarray_info(info.Env(), info[i], &type, &bytes.size, &data, nullptr, nullptr) == napi_ok &&
             type == napi_uint8_array;
  bytes.data = static_cast<uint8_t*>(data);
  if (!bytes.ok) Napi::TypeError::New(info.Env(), "bytes must be a Uint8Array").ThrowAsJavaScriptException();
  return bytes;
}

// An answer of the core as a Uint8Array that JavaScript owns, or null.
Napi::Value Answer(Napi::Env env, uint8_t* data, size_t size) {
  if (data == nullptr) return env.Null();
  Napi::Uint8Array array = Napi::Uint8Array::New(env, size);
  // Empty where the environment is being terminated: nothing can be made there.
  if (!array.IsEmpty()) memcpy(array.Data(), data, size);
  free(data);
  return array;
}

Napi::Value OrUndefined(Napi::Env env, napi_value value) {
  return value == nullptr ? env.Undefined() : Napi::Value(env, value);
}

Napi::Value JS_open(const Napi::CallbackInfo& info) {
  if (!info[0].IsFunction()) {
    Napi::TypeError::New(info.Env(), "drain must be a function").ThrowAsJavaScriptException();
    return info.Env().Undefined();
  }
  return OrUndefined(info.Env(), State(info)->Open(info.Env(), info[0]));
}

// Queues a command; throws where it cannot.
void Push(const Napi::CallbackInfo& info, uint32_t op, uint64_t argument, Bytes body, Bytes params) {
  if (!State(info)->open()) {
    Napi::Error::New(info.Env(), "the environment is not open").ThrowAsJavaScriptException();
  } else if (!State(info)->outbox().Push(op, Integer(info, 0), argument, body.data, body.size, params.data,
                                         params.size)) {
    Napi::RangeError::New(info.Env(), "no memory for the command").ThrowAsJavaScriptException();
  }
}

void JS_connect(const Napi::CallbackInfo& info) {
  Bytes params = ByteArray(info, 1);
  if (params.ok) Push(info, RMG_OP_CONNECT, Integer(info, 2), Bytes(), params);
}

void JS_listen(const Napi::CallbackInfo& info) { Push(info, RMG_OP_LISTEN, Integer(info, 1), Bytes(), Bytes()); }

void JS_closeClient(const Napi::CallbackInfo& info) {
  Push(info, RMG_OP_CLOSE_CLIENT, Integer(info, 1), Bytes(), Bytes());
}

void JS_submit(const Napi::CallbackInfo& info) {
  Bytes command = ByteArray(info, 3);
  if (!command.ok) return;
  Bytes params = ByteArray(info, 4);
  if (!params.ok) return;
  const uint64_t op = Integer(info, 1);
  if (op >= RMG_OP_CONNECT) {
    Napi::RangeError::New(info.Env(), "not an operation on a client").ThrowAsJavaScriptException();
    return;
  }
  Push(info, static_cast<uint32_t>(op), Integer(info, 2), command, params);
}

void JS_ack(const Napi::CallbackInfo& info) { Push(info, RMG_OP_ACK, Integer(info, 1), Bytes(), Bytes()); }

void JS_cancel(const Napi::CallbackInfo& info) { Push(info, RMG_OP_CANCEL, 0, Bytes(), Bytes()); }

void JS_hold(const Napi::CallbackInfo& info) {
  bool held = false;
  // Not ToBoolean(), which fails in an environment that is being terminated.
  if (napi_get_value_bool(info.Env(), info[0], &held) == napi_ok) State(info)->Hold(info.Env(), held);
}

Napi::Value JS_wrap(const Napi::CallbackInfo& info) {
  return OrUndefined(info.Env(), State(info)->Wrap(info.Env(), Slot(info, 0), Integer(info, 1)));
}

Napi::Value JS_copy(const Napi::CallbackInfo& info) {
  return OrUndefined(info.Env(), State(info)->Copy(info.Env(), Slot(info, 0), Integer(info, 1)));
}

Napi::Value JS_release(const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(info.Env(), State(info)->Release(Slot(info, 0)));
}

Napi::Value JS_definition(const Napi::CallbackInfo& info) {
  size_t size = 0;
  uint8_t* data = rmg_definition(static_cast<uint32_t>(Integer(info, 0)), static_cast<uint32_t>(Integer(info, 1)),
                                 static_cast<uint32_t>(Integer(info, 2)), &size);
  return Answer(info.Env(), data, size);
}

Napi::Value JS_stats(const Napi::CallbackInfo& info) {
  size_t size = 0;
  uint8_t* data = rmg_stats(&size);
  return Answer(info.Env(), data, size);
}

Napi::Value JS_ejson(const Napi::CallbackInfo& info) {
  Bytes text = ByteArray(info, 0);
  if (!text.ok) return info.Env().Undefined();
  size_t size = 0;
  uint8_t* data = rmg_ejson(text.data, text.size, &size);
  return Answer(info.Env(), data, size);
}

void JS_childMade(const Napi::CallbackInfo&) { KeepChildSignalOffGoStacks(); }

// First the process's, then what the environment has of it.
Napi::Value JS_memory(const Napi::CallbackInfo& info) {
  const MemoryUse use = CurrentMemoryUse();
  EnvState* state = State(info);
  const double numbers[] = {
      static_cast<double>(use.areas),
      static_cast<double>(use.bytes),
      static_cast<double>(use.idle_bytes),
      static_cast<double>(state->pool_bytes()),
      static_cast<double>(state->lazy_blocks()),
      static_cast<double>(state->lazy_bytes()),
  };
  constexpr uint32_t kCount = sizeof(numbers) / sizeof(numbers[0]);
  Napi::Array array = Napi::Array::New(info.Env(), kCount);
  for (uint32_t i = 0; !array.IsEmpty() && i < kCount; i++) array.Set(i, Napi::Number::New(info.Env(), numbers[i]));
  return array;
}

Napi::Value JS_droppedEvents(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), static_cast<double>(State(info)->dropped_events()));
}

Napi::Object Init(Napi::Env env, Napi::Object exports) {
  EnvState* state = EnvState::New(env);
  if (state == nullptr) {
    Napi::Error::New(env, "no memory").ThrowAsJavaScriptException();
    return exports;
  }
  // abi: what the addon was compiled for; coreAbi and version: what the core says. js/native/binding.js compares them.
  exports.Set("abi", Napi::Number::New(env, RMG_ABI));
  exports.Set("coreAbi", Napi::Number::New(env, rmg_abi()));
  exports.Set("version", Napi::String::New(env, rmg_version()));
  exports.Set("open", Napi::Function::New<JS_open>(env, "open", state));
  exports.Set("connect", Napi::Function::New<JS_connect>(env, "connect", state));
  exports.Set("listen", Napi::Function::New<JS_listen>(env, "listen", state));
  exports.Set("closeClient", Napi::Function::New<JS_closeClient>(env, "closeClient", state));
  exports.Set("submit", Napi::Function::New<JS_submit>(env, "submit", state));
  exports.Set("ack", Napi::Function::New<JS_ack>(env, "ack", state));
  exports.Set("cancel", Napi::Function::New<JS_cancel>(env, "cancel", state));
  exports.Set("hold", Napi::Function::New<JS_hold>(env, "hold", state));
  exports.Set("wrap", Napi::Function::New<JS_wrap>(env, "wrap", state));
  exports.Set("copy", Napi::Function::New<JS_copy>(env, "copy", state));
  exports.Set("release", Napi::Function::New<JS_release>(env, "release", state));
  exports.Set("definition", Napi::Function::New<JS_definition>(env, "definition", state));
  exports.Set("stats", Napi::Function::New<JS_stats>(env, "stats", state));
  exports.Set("ejson", Napi::Function::New<JS_ejson>(env, "ejson", state));
  exports.Set("childMade", Napi::Function::New<JS_childMade>(env, "childMade", state));
  exports.Set("memory", Napi::Function::New<JS_memory>(env, "memory", state));
  exports.Set("droppedEvents", Napi::Function::New<JS_droppedEvents>(env, "droppedEvents", state));
  return exports;
}

}  // namespace

}  // namespace rumongo

static Napi::Object InitAddon(Napi::Env env, Napi::Object exports) { return rumongo::Init(env, exports); }

NODE_API_MODULE(rumongo, InitAddon)
