package main

import (
	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"

	"rumongo-go/core/columns"
	"rumongo-go/core/fault"
	"rumongo-go/core/fetch"
)

// columnsParams reads {columns: {...}}, see docs/architecture.md.
func columnsParams(params []byte) (*columns.Schema, fetch.ColumnsParams, error) {
	var p fetch.ColumnsParams
	doc, ok := bsoncore.Document(params).Lookup("columns").DocumentOK()
	if !ok {
		return nil, p, fault.New(fault.InvalidArgument, "params.columns must be a document")
	}
	schema := &columns.Schema{}
	schema.Strict, _ = doc.Lookup("strict").BooleanOK()
	schema.Validate, _ = doc.Lookup("validateUtf8").BooleanOK()
	rows, _ := doc.Lookup("batchRows").AsInt64OK()
	p.BatchRows = int(rows)
	p.MaxBytes, _ = doc.Lookup("maxBytes").AsInt64OK()
	list, ok := doc.Lookup("columns").ArrayOK()
	if !ok {
		schema.Infer = true
		return schema, p, nil
	}
	values, err := list.Values()
	if err != nil {
		return nil, p, err
	}
	for _, value := range values {
		one, _ := value.DocumentOK()
		path, _ := one.Lookup("path").StringValueOK()
		name, _ := one.Lookup("type").StringValueOK()
		typ, ok := columns.ParseType(name)
		if !ok {
			return nil, p, fault.New(fault.InvalidArgument, "no column is of type %q", name)
		}
		schema.Columns = append(schema.Columns, columns.Column{Path: path, Type: typ})
	}
	return schema, p, nil
}

// columnsOf prepares a FIND whose result is columns.
func (r *request) columnsOf(p *fetch.Params, window *fetch.Window, params []byte) (*fetch.Encoders, fetch.Outlet, error) {
	schema, rows, err := columnsParams(params)
	if err != nil {
		return nil, nil, err
	}
	if schema.Infer {
		p.Inspect = schema.Inspect
	}
	// The encoders have the paths of this read: they are of use to no other.
	made := fetch.NewEncoders(fetch.Columns, func() fetch.Encoder { return columns.NewEncoder(schema) })
	return made, fetch.NewColumns(rows, columns.NewJoiner(schema), window, r.cancel, r), nil
}
