import { option } from "@plinth/core";

/** Options of the program itself: where its other options come from, and what it leaves for others. */
export const programOptions = {
  configFile: option.path({ summary: "File with options: TOML, JSON, YAML or JavaScript." }),
  profile: option.text({ summary: "Named set of defaults, such as dev." }),
  pidPath: option.path({
    summary: "File that the process id is written to once the node is up; removed when it stops.",
  }),
};
