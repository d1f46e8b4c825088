/// The frame of every page: self-contained, light and dark, for desktops and phones.
package struct WebPage {
  /// As text.
  let title: String
  /// CSS besides what all pages have.
  let style: String
  /// HTML.
  let body: String

  package init(title: String, style: String, body: String) {
    self.title = title
    self.style = style
    self.body = body
  }

  package var html: String {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>\(escaped(title)) – Faultline</title>
    <style>
    \(Picture.style)
    \(WebPage.style)
    \(style)
    </style>
    </head>
    <body>
    \(body)
    </body>
    </html>

    """
  }

  private static let style = """
    body{margin:0;background:var(--ground);color:var(--ink);
    font:15px/1.45 system-ui,-apple-system,"Segoe UI","DejaVu Sans",sans-serif}
    a{color:var(--save)}
    header{padding:14px 18px 4px}h1{font-size:20px;margin:0 0 6px}header p{margin:4px 0;max-width:70em}
    .fine{color:var(--faint)}
    .finding{border-left:4px solid var(--bad);background:var(--badbox);padding:6px 12px;margin:8px 0;
    border-radius:0 6px 6px 0;max-width:70em}
    .finding pre{margin:4px 0 0;white-space:pre-wrap;font-size:12px}
    button{font:inherit;padding:6px 14px;border:1px solid var(--rule);border-radius:6px;
    background:var(--box);color:var(--ink);cursor:pointer}button:disabled{opacity:.4}
    table{border-collapse:collapse;font-size:12px;width:100%}th,td{border:1px solid var(--rule);padding:4px 6px;
    text-align:left;vertical-align:top;overflow-wrap:anywhere}th{background:var(--box);font-weight:600}
    """
}
