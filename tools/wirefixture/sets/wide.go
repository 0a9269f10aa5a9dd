package sets

import "fmt"

// wide45 is a user profile of 45 fields, about 1.6 KB, mostly text and whole numbers. The benchmarks read it at five
// widths, by projections of its first fields.
func wide45(g *gen, index int) {
	name, family := g.pick(first), g.pick(last)
	city := g.rng.IntN(len(cities))
	g.id(index)                                                    // 1
	g.str("name", name+" "+family)                                 // 2
	g.str("email", fmt.Sprintf("%s.%d@mail.example", name, index)) // 3
	g.i32("age", 18+g.rng.IntN(70))                                // 4: the narrowest width
	g.str("status", g.pick(status))                                // 5
	g.str("city", cities[city])                                    // 6
	g.str("country", country[city])                                // 7
	g.date("createdAt")                                            // 8
	g.bool("active", g.coin())                                     // 9
	g.f64("balance", g.price(100000))                              // 10
	g.i32("visits", g.rng.IntN(100000))                            // 11
	g.objectID("accountId")                                        // 12
	g.str("phone", "+351 "+g.code(9))                              // 13
	g.date("lastSeen")                                             // 14
	g.str("plan", g.pick(colours))                                 // 15
	g.document("address", func() {                                 // 16
		g.str("street", fmt.Sprintf("%d %s street", 1+g.rng.IntN(400), g.pick(english)))
		g.str("zip", g.code(6))
		g.f64("latitude", g.rng.Float64()*180-90)
		g.f64("longitude", g.rng.Float64()*360-180)
	})
	g.document("settings", func() { // 17
		g.str("theme", g.pick(colours))
		g.str("language", g.pick(country))
		g.bool("mails", g.coin())
		g.i32("pageSize", 10*(1+g.rng.IntN(9)))
	})
	g.array("tags", func() { // 18
		for i := range 1 + g.rng.IntN(5) {
			g.str(digits[i], g.pick(english))
		}
	})
	for i := 19; i <= 45; i++ {
		key := fmt.Sprintf("attribute%02d", i)
		if i%9 == 0 {
			g.str(key, g.words(english, 12+g.rng.IntN(12)))
		} else {
			g.field(key, i)
		}
	}
}

// small is a document of 183 bytes: what an event or a measurement looks like.
func small(g *gen, index int) {
	g.id(index)
	g.i32("sequence", index)
	g.date("at")
	g.objectID("device")
	g.str("kind", g.code(8))
	g.f64("value", g.rng.Float64()*1000)
	g.bool("valid", g.coin())
	g.i32("quality", g.rng.IntN(100))
	g.str("unit", g.code(3))
	g.str("source", g.code(33))
}

// point is what a service looks up by key, about 1.5 KB: the order of mixed45 with a second unique key and CJK text.
func point(g *gen, index int) {
	mixed45(g, index)
	g.str("slug", fmt.Sprintf("item-%08d", index))
	g.str("title", g.words(cjk, 8+g.rng.IntN(6)))
	g.str("summary", g.words(cjk, 14+g.rng.IntN(10)))
}

// tweet is a nested document with optional parts and arrays of documents, in the manner of a social network's posts.
func tweet(g *gen, index int) {
	g.id(index)
	g.post(index)
	if g.rng.IntN(10) < 4 {
		g.document("reposted", func() { g.post(index / 2) })
	}
}

func (g *gen) post(index int) {
	g.i64("id", 1_500_000_000_000_000_000+int64(index)*4096)
	g.str("text", g.words(english, 12+g.rng.IntN(14))+" "+g.pick(emoji))
	g.str("source", g.pick([]string{"web", "phone", "tablet"}))
	g.bool("truncated", false)
	g.date("createdAt")
	if g.coin() {
		g.null("inReplyTo")
	} else {
		g.str("inReplyTo", g.code(12))
	}
	g.document("user", func() {
		g.i64("id", 1_000_000_000+int64(g.rng.IntN(1_000_000_000)))
		g.str("name", g.pick(first)+" "+g.pick(last))
		g.str("handle", g.code(9))
		if g.rng.IntN(3) == 0 {
			g.null("location")
		} else {
			g.str("location", g.pick(cities))
		}
		g.str("description", g.words(english, 10+g.rng.IntN(8)))
		g.i32("followers", g.rng.IntN(100000))
		g.i32("following", g.rng.IntN(10000))
		g.bool("verified", g.rng.IntN(10) == 0)
		g.date("createdAt")
		g.document("profile", func() {
			g.str("colour", g.pick(colours))
			g.str("image", "https://img.example/"+g.code(20)+".png")
			g.bool("tile", g.coin())
		})
	})
	if g.rng.IntN(4) == 0 {
		g.document("geo", func() {
			g.str("type", "Point")
			g.array("coordinates", func() {
				g.f64("0", g.rng.Float64()*180-90)
				g.f64("1", g.rng.Float64()*360-180)
			})
		})
	}
	g.document("entities", func() {
		g.array("hashtags", func() {
			for i := range g.rng.IntN(4) {
				g.document(digits[i], func() {
					g.str("text", g.pick(english))
					g.span()
				})
			}
		})
		g.array("urls", func() {
			for i := range g.rng.IntN(3) {
				g.document(digits[i], func() {
					g.str("url", "https://s.example/"+g.code(8))
					g.str("expanded", "https://www.example/"+g.code(24))
					g.span()
				})
			}
		})
	})
	g.i32("reposts", g.rng.IntN(1000))
	g.i32("likes", g.rng.IntN(10000))
	g.bool("liked", false)
	g.str("lang", "en")
}

func (g *gen) span() {
	g.array("indices", func() {
		at := g.rng.IntN(100)
		g.i32("0", at)
		g.i32("1", at+10)
	})
}

// randomKeys has twelve of four hundred keys, in random order: hardly two documents have the same.
func randomKeys(g *gen, index int) {
	g.id(index)
	seen := map[int]bool{}
	for len(seen) < 12 {
		k := g.rng.IntN(400)
		if !seen[k] {
			seen[k] = true
			g.field(fmt.Sprintf("key%03d", k), k)
		}
	}
}
