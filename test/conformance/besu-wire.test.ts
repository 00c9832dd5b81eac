import { hexToBytes, loadCrypto, toHex } from "@plinth/core";
import { codecsOf } from "@plinth/plugin-protocol-eth/api";
import { type RecordedMessage, readRecordedMessages, recordedScenarios } from "@plinth/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { report } from "../support/report.js";

interface AnyCodec {
  readonly code: number;
  readonly name: string;
  encode(message: unknown): Uint8Array;
  decode(payload: Uint8Array): unknown;
}

/** Every eth message between the recorded nodes. */
const EXPECTED_MESSAGES = 2_843;

describe("recorded eth messages", () => {
  beforeAll(loadCrypto);

  it("are decoded, and encoded to the same bytes", () => {
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

function readMessages(): readonly RecordedMessage[] {
  return ["qbft", "ibft2", "clique"]
    .flatMap((engine) => recordedScenarios(engine))
    .flatMap((scenario) => readRecordedMessages(scenario))
    .filter(({ protocol }) => protocol === "eth");
}
