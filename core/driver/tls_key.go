package driver

import (
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"

	"github.com/youmark/pkcs8"
)

// decryptKey returns the private key among the PEM blocks of data, decrypted with password when it is encrypted.
func decryptKey(data []byte, password string) ([]byte, error) {
	for block, rest := pem.Decode(data); block != nil; block, rest = pem.Decode(rest) {
		switch {
		case block.Type == "ENCRYPTED PRIVATE KEY":
			key, err := pkcs8.ParsePKCS8PrivateKey(block.Bytes, []byte(password))
			if err != nil {
				return nil, fmt.Errorf("wrong password or damaged key: %w", err)
			}
			der, err := x509.MarshalPKCS8PrivateKey(key)
			if err != nil {
				return nil, err
			}
			return pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), nil
		case block.Headers["DEK-Info"] != "":
			return nil, errors.New("keys in the old encrypted PEM format are not supported: convert it with openssl pkcs8 -topk8")
		}
	}
	return data, nil
}
