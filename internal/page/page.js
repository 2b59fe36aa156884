"use strict";
// The finder: rows of tasks and lengths that have every word which is typed. A number
// is a whole length, anything else a part of a name. The total of a task stays below its
// rows: its verdict is what a difference of a few items can lean on.
(() => {
	const input = document.getElementById("find"), found = document.getElementById("found");
	if (!input) return;
	document.getElementById("finder").hidden = false;
	const families = [...document.querySelectorAll("details.family")].map((box) => ({
		box, open: box.open, name: box.querySelector("summary h3").textContent.toLowerCase(),
		rows: [...box.querySelectorAll("tbody tr:not(.total)")].map((row) => ({ row, length: row.cells[0].textContent.toLowerCase() })),
	}));
	const fits = (words, name, length) => words.every((w) => (/^\d+$/.test(w) ? length.split(/\D+/).includes(w) || name.includes(w) : name.includes(w) || length.includes(w)));
	input.addEventListener("input", () => {
		const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
		let n = 0;
		for (const f of families) {
			let shown = 0;
			for (const r of f.rows) {
				const fit = fits(words, f.name, r.length);
				r.row.hidden = !fit;
				if (fit) shown++;
			}
			f.box.hidden = shown === 0;
			f.box.open = words.length ? shown > 0 : f.open;
			n += shown;
		}
		found.textContent = words.length ? (n === 1 ? "1 row" : n + " rows") : "";
	});
	addEventListener("beforeprint", () => { for (const d of document.querySelectorAll("details:not(.vb-sample, .vb-data, .vb-asked)")) d.open = true; });
})();
