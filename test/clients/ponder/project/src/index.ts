import { ponder } from "ponder:registry";
import { account, transfer } from "ponder:schema";

ponder.on("Token:Transfer", async ({ event, context }) => {
  const { from, to, value } = event.args;
  await context.db
    .insert(transfer)
    .values({ id: event.id, from, to, value, block: event.block.number });
  for (const [address, change] of [
    [from, -value],
    [to, value],
  ] as const) {
    await context.db
      .insert(account)
      .values({ address, balance: change })
      .onConflictDoUpdate((row) => ({ balance: row.balance + change }));
  }
});
