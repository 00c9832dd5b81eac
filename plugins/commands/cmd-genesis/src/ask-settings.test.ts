import { expect, it } from "vitest";
import { askSettings } from "./ask-settings.js";

const NOTHING = {
  to: undefined,
  engine: undefined,
  nodes: undefined,
  period: undefined,
  chainId: undefined,
};
const TEMPLATES = [{ engine: "qbft" }, { engine: "clique" }];

it("prompts on a terminal for settings without a flag, again if the input is invalid", async () => {
  const answers = ["raft", "clique", "no", "7", "", " 4711 ", "/net"];
  const asked: string[] = [];

  const settings = await askSettings(
    NOTHING,
    async (question) => {
      asked.push(question);
      return answers.shift() ?? "";
    },
    TEMPLATES,
  );

  expect(settings).toEqual({ engine: "clique", nodes: 7, period: 2, chainId: 4711, to: "/net" });
  expect(asked).toHaveLength(7);
});

it("does not prompt for settings with a flag, and never without a terminal", async () => {
  const given = { to: "/net", engine: "qbft", nodes: 1, period: 1, chainId: 5 };
  const ask = async () => {
    throw new Error("nothing is open");
  };

  expect(await askSettings(given, ask, TEMPLATES)).toEqual(given);
  expect(await askSettings({ ...NOTHING, nodes: 7 }, undefined, TEMPLATES)).toEqual({
    to: undefined,
    engine: "qbft",
    nodes: 7,
    period: 2,
    chainId: 1337,
  });
});
