package fault

import (
	"fmt"
	"runtime/debug"
	"strings"
)

// FromPanic makes a fault of kind Internal from a recovered value. Call it in the deferred function that recovered, so
// that the stack is the one of the panic.
func FromPanic(recovered any) *Fault {
	return &Fault{
		Kind:    Internal,
		Message: fmt.Sprintf("internal error in the native core: %v", recovered),
		Stack:   tidy(string(debug.Stack())),
	}
}

// tidy drops the frames of the recovery itself: everything up to and including the last line of runtime.gopanic.
func tidy(stack string) string {
	lines := strings.Split(strings.TrimSpace(stack), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "panic(") && i+2 <= len(lines) {
			return strings.Join(append(lines[:1:1], lines[i+2:]...), "\n")
		}
	}
	return strings.Join(lines, "\n")
}
