package driver

// Links returns how many connections messages have the short way to, see direct.go.
func Links() (n int) {
	links.Range(func(_, _ any) bool {
		n++
		return true
	})
	return n
}
