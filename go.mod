module rumongo-go

go 1.26

require (
	github.com/klauspost/compress v1.20.4
	github.com/tidwall/gjson v1.20.3
	go.mongodb.org/mongo-driver/v2 v2.10.0
)
