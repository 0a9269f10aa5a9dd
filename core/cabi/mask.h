/* Keeps the host's signals off Go's threads; see mask.c. */
#ifndef RUMONGO_MASK_H
#define RUMONGO_MASK_H

#ifdef __cplusplus
extern "C" {
#endif

/* The addon's constructor calls this when the core's have run: partner of the core's own constructor. */
extern void rmg_loaded(void);

#ifdef __cplusplus
}
#endif

#endif
