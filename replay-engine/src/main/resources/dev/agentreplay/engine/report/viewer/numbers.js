const number = new Intl.NumberFormat("en");

function count(n, one, many = one + "s") {
  return number.format(n) + " " + (n === 1 ? one : many);
}

/** Formats a duration in milliseconds. */
function millis(ms) {
  if (ms < 1000) {
    return Math.round(ms) + " ms";
  }
  if (ms < 60_000) {
    return (ms / 1000).toFixed(ms < 10_000 ? 2 : 1) + " s";
  }
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) {
    return minutes + " min " + Math.floor((ms % 60_000) / 1000) + " s";
  }
  return number.format(Math.floor(minutes / 60)) + " h " + (minutes % 60) + " min";
}

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** An amount of money, in the currency of the prices. */
const amount = new Intl.NumberFormat("en", { maximumSignificantDigits: 4 });

/** A number, in a compact notation if it is long. */
function short(n) {
  return n < 10_000 ? number.format(n) : compact.format(n);
}

/** A percentage, rounded down: 100.0% only if it is the whole. */
function percent(n) {
  return (Math.floor(n * 10) / 10).toFixed(1) + "%";
}

function bytes(n) {
  return n < 1000 ? n + " B" : n < 1e6 ? Math.round(n / 1e3) + " KB" : (n / 1e6).toFixed(1) + " MB";
}

/** A time in UTC, to the minute. */
function minute(time) {
  return new Date(time).toISOString().slice(0, 16).replace("T", " ");
}
