package handle

import (
	"errors"
	"sync"
	"testing"
)

func TestPutGetRemove(t *testing.T) {
	var table Table[string]
	a, err := table.Put("a")
	if err != nil {
		t.Fatal(err)
	}
	b, _ := table.Put("b")
	if a == 0 || b == 0 || a == b {
		t.Fatalf("handles %d and %d", a, b)
	}
	if v, err := table.Get(a); err != nil || v != "a" {
		t.Fatalf("Get(a) = %q, %v", v, err)
	}
	if v, err := table.Remove(a); err != nil || v != "a" {
		t.Fatalf("Remove(a) = %q, %v", v, err)
	}
	if _, err := table.Remove(a); !errors.Is(err, ErrStale) {
		t.Fatalf("second Remove: %v", err)
	}
	if table.Len() != 1 {
		t.Fatalf("Len = %d", table.Len())
	}
}

func TestStaleHandleDoesNotReachTheNextValue(t *testing.T) {
	var table Table[int]
	old, _ := table.Put(1)
	_, _ = table.Remove(old)
	fresh, _ := table.Put(2)
	if fresh&(maxSlots-1) != old&(maxSlots-1) {
		t.Fatal("the slot was not reused, so the test proves nothing")
	}
	if _, err := table.Get(old); !errors.Is(err, ErrStale) {
		t.Fatalf("a stale handle reached the next value: %v", err)
	}
	if fresh >= 1<<53 {
		t.Fatalf("handle %d is not a safe integer", fresh)
	}
}

func TestUnknownHandles(t *testing.T) {
	var table Table[int]
	for _, h := range []uint64{0, 1, 1 << 24, 1<<53 - 1, 1<<64 - 1} {
		if _, err := table.Get(h); !errors.Is(err, ErrStale) {
			t.Errorf("Get(%d): %v", h, err)
		}
	}
}

func TestConcurrentUse(t *testing.T) {
	var table Table[int]
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range 1000 {
				h, _ := table.Put(g)
				if v, err := table.Get(h); err != nil || v != g {
					t.Errorf("Get = %d, %v", v, err)
					return
				}
				_, _ = table.Remove(h)
			}
		}()
	}
	wg.Wait()
	if table.Len() != 0 {
		t.Fatalf("Len = %d", table.Len())
	}
}
