package shape

import (
	"bytes"
	"fmt"
	"sync"
	"testing"
)

func names(keys ...string) []byte {
	var b []byte
	for _, k := range keys {
		b = append(append(b, k...), 0)
	}
	return b
}

func TestLazySecondTime(t *testing.T) {
	table := newLazyTable()
	if s := table.find(names("a", "b")); s != nil {
		t.Error("a sequence met once has a shape")
	}
	s := table.find(names("a", "b"))
	if s == nil || s.ID == 0 || s.Len() != 2 || string(s.Key(0)) != "a\x00" || string(s.Key(1)) != "b\x00" {
		t.Fatalf("shape %+v", s)
	}
	if again := table.find(names("a", "b")); again != s {
		t.Error("not the same the third time")
	}
	if got, want := table.definition(s.ID), append([]byte{2, 0, 0, 0}, names("a", "b")...); !bytes.Equal(got, want) {
		t.Errorf("definition %q, want %q", got, want)
	}
	if table.definition(99) != nil || table.definition(0) != nil {
		t.Error("definition of an unknown id")
	}
	// The boundary between names counts.
	if table.find(names("ab")); table.find(names("ab")) == s {
		t.Error("taken for another sequence")
	}
}

func TestLazyRefuses(t *testing.T) {
	table := newLazyTable()
	for range 3 {
		if table.find(nil) != nil || table.find(bytes.Repeat([]byte{'a', 0}, lazyMaxNames)) != nil {
			t.Fatal("an empty or endless sequence has a shape")
		}
	}
}

func TestLazyKeepsNothing(t *testing.T) {
	table := newLazyTable()
	b := names("kept")
	table.find(b)
	s := table.find(b)
	copy(b, "lost")
	if string(s.Key(0)) != "kept\x00" {
		t.Error("the shape refers to the caller's bytes")
	}
}

func TestLazyGenerations(t *testing.T) {
	table := newLazyTable()
	find := func(key string) *Lazy {
		table.find(names(key))
		return table.find(names(key))
	}
	hot := find("hot")
	cold := find("cold")
	for i := range lazyMaxShapes + 10 {
		find(fmt.Sprint("filler ", i))
	}
	if table.find(names("hot")) != hot {
		t.Error("a shape in use changed with the generation")
	}
	for i := range lazyMaxShapes + 10 {
		find(fmt.Sprint("more ", i))
	}
	if table.definition(hot.ID) == nil {
		t.Error("a shape used in the last generation is gone")
	}
	if table.definition(cold.ID) != nil {
		t.Error("a shape unused for two generations is still there")
	}
	if again := find("cold"); again.ID <= cold.ID {
		t.Errorf("id %d was used again", again.ID)
	}
	if n := len(table.byID); n > 2*lazyMaxShapes {
		t.Errorf("%d shapes are kept", n)
	}
}

func TestLazyConcurrent(t *testing.T) {
	table := newLazyTable()
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for i := range 3000 {
				if s := table.find(names(fmt.Sprint(i % 50))); s != nil && table.definition(s.ID) == nil {
					t.Errorf("goroutine %d: shape without a definition", g)
				}
			}
		})
	}
	wg.Wait()
}
