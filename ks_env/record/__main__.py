"""`python -m ks_env.record` writes the JSON schemas of records anew."""

from ks_env.record.json_format import SCHEMAS, schema_text

if __name__ == "__main__":
    for file in SCHEMAS:
        file.write_text(schema_text(file), encoding="utf-8")
