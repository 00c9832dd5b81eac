import type { SealedHeader } from "@plinth/core";
import { expect, it } from "vitest";
import { ImportPause } from "./import-pause.js";

it("pauses only after a batch during which many blocks were imported", async () => {
  let number = 0n;
  const pause = new ImportPause({ head: () => ({ number }) as SealedHeader });
  const during = (imported: bigint) =>
    pause.measure(async () => {
      number += imported;
    });

  await during(1n);
  expect(pause.ms).toBe(0);
  await during(50n);
  expect(pause.ms).toBeGreaterThan(0);
  expect(pause.ms).toBeLessThanOrEqual(1000);
  await during(0n);
  expect(pause.ms).toBe(0);
});
