import { option } from "@plinth/core";

/** Options of the program itself: where its other options come from. */
export const programOptions = {
  configFile: option.path({ summary: "File with options: TOML, JSON, YAML or JavaScript." }),
  profile: option.text({ summary: "Named set of defaults, such as dev." }),
};
