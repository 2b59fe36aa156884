"""Tables, as Markdown and as JSON."""

from dataclasses import dataclass


@dataclass
class Table:
    title: str
    rows: list  # dictionaries with the same keys in the same order

    def markdown(self):
        if not self.rows:
            return f"### {self.title}\n\nNothing was measured.\n"
        names = list(self.rows[0])
        lines = [f"### {self.title}", "", "| " + " | ".join(names) + " |"]
        lines.append("|" + "|".join("---" if isinstance(self.rows[0][n], str) else "--:" for n in names) + "|")
        for row in self.rows:
            lines.append("| " + " | ".join(cell(row[n]) for n in names) + " |")
        return "\n".join(lines) + "\n"


def cell(value):
    """The text of a cell: measurements have three significant digits."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value.replace("|", "\\|").replace("\n", " ")
    if isinstance(value, int):
        return f"{value:,}"
    if abs(value) >= 100:
        digits = len(str(int(abs(value))))
        return f"{round(value, 3 - digits):,.0f}"
    return f"{value:#.3g}"
