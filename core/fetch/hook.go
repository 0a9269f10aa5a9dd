package fetch

import "os"

// TestHooks says whether the environment asks for the faults on purpose that tests need. They cannot be provoked
// otherwise: a panic is a bug of ours, and its test must not depend on there being one.
var TestHooks = os.Getenv("RUMONGO_TEST_HOOKS") == "1"

// spot is where a read panics on purpose; the zero value is nowhere.
type spot string

func (p spot) is(here spot) {
	if p == here {
		panic("on purpose: " + string(here))
	}
}
