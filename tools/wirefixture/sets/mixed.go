package sets

import "fmt"

// mixed45 is an order of 45 fields of mixed types, about 1.2 KB: what a service's main collection
// looks like.
func mixed45(g *gen, index int) {
	name, family := g.pick(first), g.pick(last)
	city := g.rng.IntN(len(cities))
	g.id(index)                                                                          // 1
	g.str("orderNumber", fmt.Sprintf("ORD-%08d", index))                                 // 2
	g.str("status", g.pick(status))                                                      // 3
	g.str("firstName", name)                                                             // 4
	g.str("lastName", family)                                                            // 5
	g.str("email", name+"."+family+fmt.Sprint(g.rng.IntN(1000))+"@mail.example")         // 6
	g.str("phone", fmt.Sprintf("+351 %03d %06d", g.rng.IntN(1000), g.rng.IntN(1000000))) // 7
	g.str("street", fmt.Sprintf("%d %s street", 1+g.rng.IntN(400), g.pick(english)))     // 8
	g.str("city", cities[city])                                                          // 9
	g.str("country", country[city])                                                      // 10
	g.str("postcode", g.code(7))                                                         // 11
	g.str("currency", "EUR")                                                             // 12
	g.str("channel", g.pick([]string{"web", "app", "shop", "phone"}))                    // 13
	g.str("coupon", g.code(10))                                                          // 14
	g.str("tracking", g.code(22))                                                        // 15
	g.str("description", g.words(english, 28+g.rng.IntN(16)))                            // 16
	g.str("note", g.words(english, 4+g.rng.IntN(6)))                                     // 17
	g.i32("quantity", 1+g.rng.IntN(20))                                                  // 18
	g.i32("weightGrams", 50+g.rng.IntN(20000))                                           // 19
	g.i32("points", g.rng.IntN(5000))                                                    // 20
	g.i32("views", g.rng.IntN(1000000))                                                  // 21
	g.i32("retries", g.rng.IntN(3))                                                      // 22
	g.i32("warehouse", g.rng.IntN(64))                                                   // 23
	g.i32("version", 1+g.rng.IntN(9))                                                    // 24
	g.i64("sequence", 1_000_000_000_000+int64(index))                                    // 25
	g.f64("total", g.price(2000))                                                        // 26
	g.f64("tax", g.price(300))                                                           // 27
	g.f64("shipping", g.price(40))                                                       // 28
	g.f64("discount", g.rng.Float64())                                                   // 29
	g.f64("latitude", g.rng.Float64()*180-90)                                            // 30
	g.f64("longitude", g.rng.Float64()*360-180)                                          // 31
	g.f64("score", g.rng.Float64())                                                      // 32
	g.bool("paid", g.coin())                                                             // 33
	g.bool("gift", g.rng.IntN(10) == 0)                                                  // 34
	g.bool("express", g.coin())                                                          // 35
	g.bool("archived", false)                                                            // 36
	g.date("createdAt")                                                                  // 37
	g.date("updatedAt")                                                                  // 38
	g.date("shippedAt")                                                                  // 39
	g.objectID("customerId")                                                             // 40
	g.objectID("productId")                                                              // 41
	g.null("deletedAt")                                                                  // 42
	g.document("dimensions", func() {                                                    // 43
		g.f64("width", g.price(200))
		g.f64("height", g.price(200))
		g.f64("depth", g.price(200))
		g.str("unit", "cm")
	})
	g.array("tags", func() { // 44
		for i := range 2 + g.rng.IntN(3) {
			g.str(digits[i], g.pick(english))
		}
	})
	g.array("ratings", func() { // 45
		for i := range 4 {
			g.i32(digits[i], 1+g.rng.IntN(5))
		}
	})
}

// arrays has three arrays of 0 to 50 elements: numbers, strings and sub-documents.
func arrays(g *gen, index int) {
	g.id(index)
	g.str("name", g.pick(first))
	g.array("numbers", func() {
		for i := range g.rng.IntN(51) {
			g.i32(digits[i], g.rng.IntN(100000))
		}
	})
	g.array("strings", func() {
		for i := range g.rng.IntN(51) {
			g.str(digits[i], g.pick(english))
		}
	})
	g.array("items", func() {
		for i := range g.rng.IntN(51) {
			g.document(digits[i], func() {
				g.str("sku", g.code(8))
				g.i32("count", 1+g.rng.IntN(9))
				g.f64("price", g.price(500))
			})
		}
	})
}

// optional20 has twenty fields of which each is there half the time: a million possible shapes.
func optional20(g *gen, index int) {
	g.id(index)
	for i := range 20 {
		if g.coin() {
			g.field(fmt.Sprintf("field%02d", i), i)
		}
	}
}

// nulls20 has twenty fields, each null half the time: one shape, twenty varying types.
func nulls20(g *gen, index int) {
	g.id(index)
	for i := range 20 {
		key := fmt.Sprintf("field%02d", i)
		if g.coin() {
			g.field(key, i)
		} else {
			g.null(key)
		}
	}
}

// field writes a value whose type depends on the field's number.
func (g *gen) field(key string, i int) {
	switch i % 5 {
	case 0:
		g.str(key, g.words(english, 1+g.rng.IntN(4)))
	case 1:
		g.i32(key, g.rng.IntN(1000000))
	case 2:
		g.f64(key, g.price(10000))
	case 3:
		g.date(key)
	case 4:
		g.bool(key, g.coin())
	}
}

// text is mostly non-ASCII strings: Latin accents, CJK, Cyrillic, emoji, and one of all.
func text(g *gen, index int) {
	g.id(index)
	g.i32("n", index)
	g.str("accents", g.words(accents, 3+g.rng.IntN(6)))
	g.str("accentsLong", g.words(accents, 15+g.rng.IntN(10)))
	g.str("cjk", g.words(cjk, 2+g.rng.IntN(5)))
	g.str("cjkLong", g.words(cjk, 15+g.rng.IntN(10)))
	g.str("cyrillic", g.words(cyrillic, 2+g.rng.IntN(6)))
	g.str("cyrillicLong", g.words(cyrillic, 10+g.rng.IntN(10)))
	g.str("emoji", g.words(emoji, 1+g.rng.IntN(5)))
	g.str("city", g.pick(cities))
	g.str("mixed", g.pick(english)+" "+g.pick(accents)+" "+g.pick(cjk)+" "+g.pick(emoji)+" "+g.pick(cyrillic))
}
