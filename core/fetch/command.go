package fetch

import (
	"context"

	"rumongo-go/core/driver"
	"rumongo-go/core/fault"
)

// Command runs cmd and delivers the server's reply as one chunk.
func Command(ctx context.Context, client *driver.Client, cmd driver.Command, out Outlet) {
	reply, err := client.Run(ctx, cmd)
	if err != nil {
		out.End(failure(ctx, err))
		return
	}
	if ctx.Err() != nil {
		out.End(failure(ctx, ctx.Err()))
		return
	}
	chunk := Chunk{Kind: Reply, Count: 1, BatchEnd: true, Last: true}
	if len(reply) <= InlineLimit {
		chunk.Inline = reply
	} else {
		block, err := out.Alloc(Reply, len(reply))
		if err != nil {
			out.End(fault.From(err))
			return
		}
		copy(block.Data, reply)
		chunk.Block = block
	}
	out.Chunk(chunk)
}

// failure is the fault of err; once ctx has ended it is the reason for that, whatever the driver made of it.
func failure(ctx context.Context, err error) *fault.Fault {
	if ctx.Err() != nil {
		return fault.From(context.Cause(ctx))
	}
	return fault.From(err)
}
