package shape

import "sync/atomic"

// A door counts how often hashes were seen lately, in fixed memory, and lets in those that come back: documents with
// random keys, a hundred thousand shapes met once each, or keys that are user ids must not fill the tables that serve
// the regular ones. Each cell holds one hash and its count; another hash that falls on it wears the count down first,
// so a regular guest survives any number of strangers that come once.
type door [8192]atomic.Uint64

const doorCount = 0xFF

// knock counts one sight of the hash and returns how many there were. Racing goroutines may lose a count; that only
// delays a guest.
func (d *door) knock(hash uint64) int {
	cell := &d[hash>>51]
	old := cell.Load()
	count := old & doorCount
	switch {
	case old&^doorCount == hash&^doorCount:
		count = min(count+1, doorCount)
		cell.Store(old&^doorCount | count)
		return int(count)
	case count > 1:
		cell.Store(old - 1)
		return 0
	}
	cell.Store(hash&^doorCount | 1)
	return 1
}

// forget empties the hash's cell.
func (d *door) forget(hash uint64) { d[hash>>51].Store(0) }
