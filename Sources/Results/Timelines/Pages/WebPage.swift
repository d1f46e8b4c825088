/// The frame of every page. Pages are self-contained, have a light and a dark mode, and suit
/// desktops and phones.
package struct WebPage {
  /// The title, as plain text.
  let title: String
  /// CSS in addition to the style that all pages share.
  let style: String
  /// The contents, as HTML.
  let body: String
  /// JavaScript in addition to the script that all pages share.
  let script: String

  package init(title: String, style: String = "", body: String, script: String = "") {
    self.title = title
    self.style = style
    self.body = body
    self.script = script
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
    \(DesignTokens.style)
    \(PictureStyle.style)
    \(WebPage.text(of: PackageResources.page_css))
    \(style)
    </style>
    <noscript><style>.scripted,.copy{display:none!important}
    button{pointer-events:none;border-color:transparent!important}</style></noscript>
    </head>
    <body>
    \(body)
    <script>
    "use strict";
    \(WebPage.text(of: PackageResources.page_js))
    \(script)
    </script>
    </body>
    </html>

    """
  }

  /// Returns a command with a button that copies it.
  package static func command(_ line: String) -> String {
    "<p class=\"command\"><code>\(escaped(line))</code> "
      + "<button type=\"button\" class=\"copy\">Copy</button></p>"
  }

  /// Returns the text of a file that is embedded in the module.
  package static func text(of file: [UInt8]) -> String { String(decoding: file, as: UTF8.self) }
}
