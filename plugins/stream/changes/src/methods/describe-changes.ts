import { method } from "@plinth/core";
import { descriptor } from "../delivery/change-json.js";
import type { FindStream } from "../delivery/found-stream.js";
import { PERMISSION } from "../delivery/permission.js";

/** `plinth_describeChanges`: where the stream of changes begins, and which records are kept. */
export const describeChanges = (find: FindStream) =>
  method({
    summary: "Returns where the stream of changes begins, and which of its records are kept.",
    result: descriptor,
    exactParams: true,
    permission: PERMISSION,
    example: {
      params: [],
      result: {
        id: "0x5d6f2c3b8a9e47104f6f0b6f3d0d1c7a2e3b4c5d6e7f8091a2b3c4d5e6f70819",
        number: "0x64",
        hash: "0x1f3a5c7e9b0d2f4a6c8e0b1d3f5a7c9e1b3d5f7a9c0e2b4d6f8a0c1e3b5d7f9a",
        firstSequence: "0x1",
        firstBlock: "0x65",
        lastSequence: "0x2a",
        lastHash: "0x8c1e3b5d7f9a0c2e4b6d8f0a1c3e5b7d9f1a3c5e7b9d0f2a4c6e8b0d1f3a5c7e",
      },
    },
    handle: () => find().descriptor,
  });
