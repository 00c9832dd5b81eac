export type {
  AnyCommand,
  CommandArguments,
  CommandUses,
  OpenChainSettings,
  StatusLine,
} from "./command.js";
