package fetch

import (
	"sync/atomic"

	"rumongo-go/core/driver"
)

// memory is that of a batch, which is used again when all of its pieces are encoded. One that is malformed keeps it: what
// an encoder does after a failure is not known.
type memory struct {
	bytes []byte
	users atomic.Int32
}

// newMemory has one user. Its partner is letGo, as keep's is.
func newMemory(bytes []byte) *memory {
	m := &memory{bytes: bytes}
	m.users.Store(1)
	return m
}

func (m *memory) keep() { m.users.Add(1) }

func (m *memory) letGo() {
	if m.users.Add(-1) == 0 {
		driver.Reuse(m.bytes)
	}
}
