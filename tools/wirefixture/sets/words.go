package sets

import "strconv"

// digits are array keys made once.
var digits = func() (keys [64]string) {
	for i := range keys {
		keys[i] = strconv.Itoa(i)
	}
	return keys
}()

var (
	english = []string{"order", "parcel", "ready", "north", "window", "garden", "blue", "invoice", "quiet", "river",
		"station", "paper", "orange", "winter", "engine", "market", "letter", "silver", "bridge", "morning",
		"customer", "returned", "delivery", "warehouse", "pending", "the", "of", "and", "to", "in"}
	first   = []string{"Alice", "Bruno", "Chen", "Dana", "Emil", "Farah", "Goran", "Hanna", "Ivan", "Julia", "Kofi", "Lena"}
	last    = []string{"Abbott", "Berger", "Castillo", "Dubois", "Eriksen", "Fischer", "Garcia", "Hughes", "Ito", "Jansen"}
	cities  = []string{"Lisbon", "Oslo", "Vienna", "Nairobi", "Lima", "Osaka", "Toronto", "Hobart", "Tunis", "Riga"}
	country = []string{"PT", "NO", "AT", "KE", "PE", "JP", "CA", "AU", "TN", "LV"}
	status  = []string{"new", "paid", "packed", "shipped", "delivered", "returned", "cancelled"}
	colours = []string{"red", "green", "blue", "black", "white", "amber", "teal"}

	accents  = []string{"café", "naïve", "Zürich", "señor", "garçon", "über", "fête", "Málaga", "Ångström", "déjà", "Köln", "crème"}
	cjk      = []string{"東京", "上海", "データ", "注文", "配送", "서울", "고객", "東京都港区", "商品", "支付", "已完成", "価格"}
	cyrillic = []string{"заказ", "Москва", "доставка", "клиент", "Київ", "оплата", "склад", "новый", "София", "товар"}
	emoji    = []string{"🎉", "👍🏽", "🚚", "📦", "❤️", "👩‍💻", "🇵🇹", "😀", "🔥", "✅"}
)
