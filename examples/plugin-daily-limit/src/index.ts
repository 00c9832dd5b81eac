import { type Address, definePlugin, option } from "@plinth/core";

const DAY_MS = 24 * 60 * 60 * 1000;

export default definePlugin({
  name: "daily-limit",
  options: {
    dailyLimit: option.integer({
      summary: "Maximum number of transactions per sender and day.",
      default: 100,
      min: 0,
    }),
  },
  setup({ config, hooks }) {
    const counts = new Map<Address, number>();
    let today = 0;
    hooks.pool.admit.tap(({ sender }, { clock }) => {
      const day = Math.floor(clock.now() / DAY_MS);
      if (day !== today) counts.clear();
      today = day;
      if ((counts.get(sender) ?? 0) < config.dailyLimit) return undefined;
      return { message: `${sender} has sent ${config.dailyLimit} transactions today` };
    });
    hooks.pool.added.tap(({ transaction: { sender } }) => {
      counts.set(sender, (counts.get(sender) ?? 0) + 1);
    });
  },
});
