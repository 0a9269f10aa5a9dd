package shape

import (
	"encoding/json"
	"sync"
)

// Key names of documents that have no shape travel as numbers. The table is per process and only grows, up to these
// limits; a key past them travels as text.
const (
	maxKeys     = 32 << 10
	maxKeyBytes = 64
	keyKnocks   = 3
	keyPage     = 4096
)

// A Key is an interned key name. Its ID is never 0: that number means that the key's text follows.
type Key struct {
	ID   uint32
	Name string
}

type keyTable struct {
	mu    sync.RWMutex
	byKey map[string]*Key
	all   []*Key
	door  door
}

var keyNames = keyTable{byKey: map[string]*Key{}}

// FindKey returns the interned key of that name, or nil. A name is interned when it was met a few times. The caller has
// made sure that it is valid UTF-8.
func FindKey(name []byte, hash uint64) *Key { return keyNames.find(name, hash) }

func (t *keyTable) find(name []byte, hash uint64) *Key {
	t.mu.RLock()
	k := t.byKey[string(name)]
	full := len(t.all) >= maxKeys
	t.mu.RUnlock()
	if k != nil || full || len(name) > maxKeyBytes || t.door.knock(hash) < keyKnocks {
		return k
	}
	// JavaScript cannot assign this one like any other; as text it takes the careful path there.
	if string(name) == "__proto__" {
		return nil
	}
	t.door.forget(hash)
	t.mu.Lock()
	defer t.mu.Unlock()
	if k = t.byKey[string(name)]; k != nil || len(t.all) >= maxKeys {
		return k
	}
	k = &Key{ID: uint32(len(t.all) + 1), Name: string(name)}
	t.all = append(t.all, k)
	t.byKey[k.Name] = k
	return k
}

// definition returns the names from id first on, a page of them, as a JSON array.
func (t *keyTable) definition(first uint32) []byte {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if first < 1 || int(first) > len(t.all) {
		return nil
	}
	page := t.all[first-1:]
	page = page[:min(len(page), keyPage)]
	names := make([]string, len(page))
	for i, k := range page {
		names[i] = k.Name
	}
	text, err := json.Marshal(names)
	if err != nil {
		return nil
	}
	return text
}
