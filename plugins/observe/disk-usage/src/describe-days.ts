const YEAR_DAYS = 365;

/** A number of days as text: `less than a day`, `about 12 days`, `about 3 years`. */
export function describeDays(days: number): string {
  const years = Math.floor(days / YEAR_DAYS);
  if (days < 1) return "less than a day";
  if (days === 1) return "about a day";
  if (years < 2) return `about ${days} days`;
  return years < 10 ? `about ${years} years` : "more than 10 years";
}
