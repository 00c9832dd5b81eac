import type { Codec, Method } from "@plinth/core";
import type { RegisteredMethod } from "@plinth/core/rpc";

/** The OpenRPC document of methods, generated from their declarations. */
export function describeMethods(
  methods: readonly RegisteredMethod[],
  about: { readonly title: string; readonly version: string },
): Readonly<Record<string, unknown>> {
  return {
    openrpc: "1.2.6",
    info: about,
    methods: methods.map(({ fullName, method }) => ({
      name: fullName,
      summary: method.summary,
      paramStructure: "by-position",
      params: Object.entries(method.params).map(([name, codec]) => describeParam(name, codec)),
      result: { name: "result", schema: method.result.schema },
      ...(method.example === undefined ? {} : { examples: [describeExample(method)] }),
    })),
  };
}

function describeExample({ params, example }: Method<unknown>) {
  const names = Object.keys(params);
  return {
    name: "example",
    params: (example?.params ?? []).map((value, index) => ({ name: names[index], value })),
    result: { name: "result", value: example?.result },
  };
}

function describeParam(name: string, codec: Codec<unknown>) {
  const required = codec.missing === undefined;
  return { name, required, schema: codec.schema };
}
