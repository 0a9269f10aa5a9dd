package fetch

import (
	"context"
	"errors"
	"testing"
	"time"
)

func testWindow(b *budget, limit int64) *Window {
	return &Window{budget: b, limit: limit, moved: make(chan struct{}, 1)}
}

func testBudget(limit int64) *budget {
	return &budget{limit: limit, waiting: map[*Window]struct{}{}}
}

func TestWindowOwingNothingMayAlwaysFetch(t *testing.T) {
	b := testBudget(10)
	greedy, modest := testWindow(b, 100), testWindow(b, 100)
	if !greedy.tryAcquire(50) || !modest.tryAcquire(50) {
		t.Fatal("a read that owes nothing had to wait")
	}
	if greedy.tryAcquire(1) {
		t.Fatal("a read that owes took more than the process may have")
	}
}

func TestAcquireWaitsForCreditOfOthers(t *testing.T) {
	b := testBudget(100)
	first, second := testWindow(b, 100), testWindow(b, 100)
	first.Charge(60)
	second.Charge(30)
	done := make(chan error, 1)
	go func() { done <- second.Acquire(context.Background(), 30) }()
	select {
	case <-done:
		t.Fatal("more than the budget was handed out")
	case <-time.After(50 * time.Millisecond):
	}
	first.Ack(40)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

func TestAcquireEndsWithItsContext(t *testing.T) {
	b := testBudget(100)
	w := testWindow(b, 10)
	w.Charge(10)
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(ErrStopped)
	if err := w.Acquire(ctx, 1); !errors.Is(err, ErrStopped) {
		t.Fatal(err)
	}
	if len(b.waiting) != 0 {
		t.Fatal("it still waits")
	}
}

func TestTooManyAcknowledgementsAreNoCredit(t *testing.T) {
	b := testBudget(100)
	w := testWindow(b, 10)
	w.Charge(5)
	w.Ack(1000)
	if w.Used() != 0 || b.used != 0 {
		t.Fatalf("window %d, budget %d", w.Used(), b.used)
	}
	w.Charge(7)
	w.Close()
	if w.Used() != 0 || b.used != 0 {
		t.Fatalf("after Close: window %d, budget %d", w.Used(), b.used)
	}
}

func TestCut(t *testing.T) {
	document := func(n int) []byte { // element "0" with a document of n bytes
		d := append([]byte{3, '0', 0}, make([]byte, n)...)
		d[3], d[4] = byte(n), byte(n>>8)
		return d
	}
	join := func(parts ...[]byte) (all []byte) {
		for _, p := range parts {
			all = append(all, p...)
		}
		return all
	}
	ten := document(10) // 13 bytes
	for name, tc := range map[string]struct {
		elems []byte
		size  int
		first int
	}{
		"whole":             {join(ten, ten), 1000, 26},
		"after one":         {join(ten, ten), 13, 13},
		"never in one":      {join(ten, ten), 5, 13},
		"too long a length": {join(ten, []byte{3, '0', 0, 99, 0, 0, 0, 0}, ten), 20, 34},
		"no document":       {join([]byte{2, '0', 0}, ten), 5, 16},
		"no key":            {[]byte{3, 'a', 'b'}, 2, 3},
		"cut short":         {[]byte{3, 'a', 0, 5, 0}, 2, 5},
		"negative":          {[]byte{3, 'a', 0, 255, 255, 255, 255, 0}, 2, 8},
	} {
		piece, rest := cut(tc.elems, tc.size)
		if len(piece) != tc.first || len(piece)+len(rest) != len(tc.elems) {
			t.Errorf("%s: %d and %d bytes, want %d first", name, len(piece), len(rest), tc.first)
		}
	}
}
