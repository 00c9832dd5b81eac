import { GraphQLClient, gql } from "graphql-request";

/** The client of a GraphQL listener. */
export function connect(url) {
  const client = new GraphQLClient(url);
  return (text, variables) => client.request(gql([text]), variables);
}
