import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { hexToBytes, loadCrypto, toHex } from "@plinth/core";
import { codecsOf } from "@plinth/plugin-protocol-eth/api";
import { beforeAll, describe, expect, it } from "vitest";
import { CONFORMANCE, isConformanceMissing } from "../support/conformance.js";
import { report } from "../support/report.js";

const WIRE = join(CONFORMANCE, "../besu-wire");

interface RecordedMessage {
  readonly protocol: string;
  readonly version: number;
  readonly name: string;
  readonly code: number;
  readonly payload: `0x${string}`;
}

interface AnyCodec {
  readonly code: number;
  readonly name: string;
  encode(message: unknown): Uint8Array;
  decode(payload: Uint8Array): unknown;
}

/** Every eth message between the recorded nodes. */
const EXPECTED_MESSAGES = 2_843;

describe.skipIf(isConformanceMissing)("recorded eth messages", () => {
  beforeAll(loadCrypto);

  it("are read, and written as the same bytes", () => {
    const counts: Record<string, number> = {};
    for (const message of readMessages()) {
      const codecs = Object.values(codecsOf(message.version)) as unknown as readonly AnyCodec[];
      const codec = codecs.find(({ code }) => code === message.code);
      expect(codec?.name, JSON.stringify(message)).toBe(message.name);
      const written = codec?.encode(codec.decode(hexToBytes(message.payload)));
      expect(toHex(written ?? new Uint8Array())).toBe(message.payload);
      counts[message.name] = (counts[message.name] ?? 0) + 1;
    }
    report("recorded eth messages", counts);
    expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(EXPECTED_MESSAGES);
  });
});

function* readMessages(): Generator<RecordedMessage> {
  for (const network of ["qbft", "ibft2", "clique"]) {
    for (const scenario of readdirSync(join(WIRE, network))) {
      const file = join(WIRE, network, scenario, "messages.jsonl");
      if (!existsSync(file)) continue;
      for (const line of readFileSync(file, "utf8").split("\n")) {
        if (line === "") continue;
        const message: RecordedMessage = JSON.parse(line);
        if (message.protocol === "eth") yield message;
      }
    }
  }
}
