package dev.agentreplay.records.report;

import java.util.List;

/** Texts that a report must only show as text. */
final class Hostile {

  static final List<String> TEXTS = List.of(
      "</script><script>window.pwned = 1</script>",
      "<!--<script> & <img src=x onerror='alert(1)'> \"quoted\"",
      "@someone mentions #123 in ``` and `code` | a cell \\| </details>",
      "\u001b[31mred\u001b]0;title\u0007\r\nline \u0000",
      "\u202egnp.exe \u2066\u200b\u00ad\ufeff\u2028",
      "\udb40\udc41 \ufffe ]]> \u0085");

  private Hostile() {}
}
