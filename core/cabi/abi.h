/* The contract between the Go core (core/cabi) and the Node.js glue (napi/). Both include this file, so a signature that
 * drifts does not compile; the number catches an addon and a core from different builds.
 *
 * JavaScript asks by queueing commands and waking a listener, Go answers by completions. Neither side waits for
 * the other: a call from C into Go needs one of Go's processors, and when all of them parse or copy, the JavaScript
 * thread would wait for milliseconds (measured: 4 at the 99th percentile, 60 at worst, with six large reads on two
 * cores). So only what is rare is a call.
 *
 * Threads: rmg_* functions may be called from any thread. The rmg_host functions are called by Go from any thread, also
 * after RMG_OP_CLOSE_ENV, until Go has called env_release for that environment; they must not call rmg_* functions.
 *
 * Memory: a block has one owner at a time: Go from block_alloc until it passes the block in a completion or to
 * block_drop, then the glue.
 */
#ifndef RUMONGO_ABI_H
#define RUMONGO_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RMG_ABI 4

/* How many goroutines of an environment take commands (core/cabi/listen.go). Each has a descriptor it is woken by. */
#define RMG_LISTENERS 3

/* What a queued command asks for. All but the last four are requests: they complete exactly once. */
enum {
  RMG_OP_COMMAND = 1,       /* argument: client id; body: command; params */
  RMG_OP_FIND = 2,          /* the same */
  RMG_OP_DECODE = 3,        /* no client; body: BSON documents, one after the other; params */
  RMG_OP_CONNECT = 16,      /* argument: mask of events (core/driver/monitor.go); params */
  RMG_OP_CLOSE_CLIENT = 17, /* argument: client id */
  RMG_OP_ACK = 18,          /* argument: bytes, of the request with this token */
  RMG_OP_CANCEL = 19,       /* the request with this token */
  RMG_OP_LISTEN = 21,       /* argument: mask of events for the client whose RMG_OP_CONNECT had this token */
  RMG_OP_CLOSE_ENV = 20     /* cancels and closes all that belongs to the environment; nothing may follow */
};

/* One queued command; body and params follow, and zeros up to a multiple of 8. */
typedef struct rmg_command {
  uint64_t token;
  uint64_t argument;
  uint32_t op;
  uint32_t body_size;
  uint32_t params_size;
  uint32_t size; /* of all, this header included */
} rmg_command;

/* Kinds of completions; 1 to 3, 5 and 7 are chunks as in core/fetch. */
enum {
  RMG_KIND_NONE = 0, /* no payload, or a fault */
  RMG_KIND_FRAMES = 1,
  RMG_KIND_LAZY = 2,
  RMG_KIND_REPLY = 3,
  RMG_KIND_CLIENT = 4, /* answer of RMG_OP_CONNECT: payload is one double, the client id */
  RMG_KIND_TEXT = 5,
  RMG_KIND_COLUMNS = 7,
  RMG_KIND_CURSOR = 6 /* the number of the server's cursor: payload is one int64, which is not acknowledged */
};

/* Flags of completions. */
enum {
  RMG_BATCH_END = 1, /* last chunk of a server batch */
  RMG_LAST = 2,      /* the request is over; no completion of its token follows */
  RMG_FAULT = 4      /* the payload is a fault (BSON); always with RMG_LAST */
};

/* C-owned memory for one chunk. The glue's own fields follow these two. */
typedef struct rmg_block {
  uint8_t *data;   /* 8-byte aligned */
  size_t capacity; /* bytes usable at data */
} rmg_block;

typedef struct rmg_completion {
  uint64_t token; /* of the command */
  uint32_t kind;
  uint32_t flags;
  uint32_t count;      /* documents in the payload */
  uint32_t length;     /* bytes of payload */
  rmg_block *block;    /* the payload, or NULL when it is at data */
  const uint8_t *data; /* valid during the call only */
} rmg_completion;

/* Something a client listens to has happened. info and body follow, and zeros up to a multiple of 8. */
typedef struct rmg_event {
  double source;      /* token of the client's RMG_OP_CONNECT */
  double token;       /* of the request it is about, or 0 */
  uint32_t kind;      /* as in core/driver/monitor.go */
  uint32_t info_size; /* BSON, but of command events what core/driver/monitor_commands.go says */
  uint32_t body_size; /* BSON: a command, a reply or a fault */
  uint32_t size;      /* of all, this header included */
} rmg_event;

typedef void (*rmg_complete_fn)(void *env, const rmg_completion *completion);
typedef rmg_block *(*rmg_block_alloc_fn)(void *env, uint32_t kind, size_t size);
typedef void (*rmg_block_drop_fn)(void *env, rmg_block *block);
typedef const uint8_t *(*rmg_take_commands_fn)(void *env, int listener, size_t *size);
/* Queues an event without waking JavaScript. Returns 1 when it is the first one that waits: wake_events is to be called
 * soon, unless a completion comes first. */
typedef int (*rmg_event_fn)(void *env, const rmg_event *event, const uint8_t *info, const uint8_t *body);
typedef void (*rmg_wake_events_fn)(void *env);
typedef void (*rmg_env_release_fn)(void *env);

/* What the glue gives to Go for one environment. */
typedef struct rmg_host {
  rmg_complete_fn complete;
  rmg_block_alloc_fn block_alloc; /* NULL when there is no memory */
  rmg_block_drop_fn block_drop;
  /* What is queued; valid until the next call, which only one thread makes at a time. When that is nothing, the listener
   * is to be woken for the next command, unless another one is. */
  rmg_take_commands_fn take_commands;
  rmg_event_fn event;
  rmg_wake_events_fn wake_events;
  rmg_env_release_fn env_release; /* Go's last use of env */
} rmg_host;

/* Exported by the core. Sizes are in bytes. */
extern uint32_t rmg_abi(void);
extern char *rmg_version(void); /* static, the package version it was built with */
/* Fills in the descriptors that listeners are woken by: eight bytes, a 1 of 64 bits, wake one. Returns 0, or -1 where there
 * are none to be had. Partner: RMG_OP_CLOSE_ENV, after which nothing may be written. */
extern int rmg_env_open(void *env, rmg_host *host, int wake_fds[RMG_LISTENERS]);
/* The answers of these are malloc'd and belong to the caller; NULL when there is nothing. */
extern uint8_t *rmg_definition(uint32_t kind, uint32_t id, uint32_t version, size_t *size);
extern uint8_t *rmg_stats(size_t *size);
/* Extended JSON text (UTF-8) as BSON: { value: ... }, or a fault { kind: ... } with the offset of the error. */
extern uint8_t *rmg_ejson(uint8_t *text, size_t length, size_t *size);

#ifdef __cplusplus
}
#endif

#endif
