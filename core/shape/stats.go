package shape

// Use is what the tables of the process hold.
type Use struct {
	Frames, FrameBytes int // shapes of eager documents; bytes of the definitions of all their versions
	Lazy, LazyBytes    int // shapes of lazy documents; bytes of their keys
	Keys               int // interned key names
}

// InUse returns what the tables hold now. It is bounded, see the limits of each.
func InUse() Use {
	var u Use
	Frames.mu.Lock()
	u.Frames, u.FrameBytes = len(Frames.byID), Frames.text
	Frames.mu.Unlock()
	lazyShapes.mu.Lock()
	u.Lazy, u.LazyBytes = len(lazyShapes.byID), lazyShapes.bytes+lazyShapes.oldBytes
	lazyShapes.mu.Unlock()
	keyNames.mu.RLock()
	u.Keys = len(keyNames.all)
	keyNames.mu.RUnlock()
	return u
}
