/* global GraphiQL, React, ReactDOM */

const DEFAULT_QUERY = `{
  block {
    number
    hash
    transactions {
      hash
      from { address }
      to { address }
    }
  }
}
`;

/** The introspection query costs more than a query may: its result is a file. */
async function fetcher(request) {
  const isSchema = request.operationName === "IntrospectionQuery";
  const response = isSchema
    ? await fetch("/graphql/ui/schema.json")
    : await fetch("/graphql", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(request),
      });
  return response.json();
}

ReactDOM.createRoot(document.getElementById("graphiql")).render(
  React.createElement(GraphiQL, { fetcher, defaultQuery: DEFAULT_QUERY }),
);
