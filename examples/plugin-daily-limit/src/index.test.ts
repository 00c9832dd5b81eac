import { ALICE, CAROL, createTestNode, FakeClock, signTransaction } from "@plinth/testing";
import { expect, it } from "vitest";
import dailyLimit from "./index.js";

it("accepts a limited number of transactions per sender and day", async () => {
  const clock = new FakeClock(Date.UTC(2030, 0, 1));
  const options = { dailyLimit: 2 };
  await using node = await createTestNode({ plugins: [dailyLimit], options, clock });
  const send = async (from: typeof ALICE, nonce: number) =>
    node.rpc("eth_sendRawTransaction", [await signTransaction({ from, nonce, to: ALICE.address })]);
  await send(ALICE, 0);
  await send(ALICE, 1);

  await expect(send(ALICE, 2)).rejects.toMatchObject({
    message: expect.stringContaining("has sent 2 transactions today"),
  });
  expect(await send(CAROL, 0)).toMatch(/^0x/);
  await clock.advance(24 * 60 * 60 * 1000);
  expect(await send(ALICE, 2)).toMatch(/^0x/);
});
