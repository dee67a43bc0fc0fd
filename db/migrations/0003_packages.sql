CREATE TABLE "package_file" (
	"package" "bytea" NOT NULL,
	"path" text NOT NULL,
	"content" "bytea" NOT NULL,
	CONSTRAINT "package_file_package_path_pk" PRIMARY KEY("package","path")
);
--> statement-breakpoint
CREATE TABLE "package_lock" (
	"artifact_id" uuid NOT NULL,
	"version_number" integer NOT NULL,
	"entries" jsonb NOT NULL,
	"is_complete" boolean NOT NULL,
	"updated_at" timestamptz DEFAULT now() NOT NULL,
	CONSTRAINT "package_lock_artifact_id_version_number_pk" PRIMARY KEY("artifact_id","version_number")
);
--> statement-breakpoint
CREATE TABLE "package_use" (
	"artifact_id" uuid NOT NULL,
	"version_number" integer NOT NULL,
	"package" "bytea" NOT NULL,
	CONSTRAINT "package_use_artifact_id_version_number_package_pk" PRIMARY KEY("artifact_id","version_number","package")
);
--> statement-breakpoint
CREATE TABLE "package" (
	"sha256" "bytea" PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"version" text NOT NULL,
	"integrity" text NOT NULL,
	"listing" jsonb NOT NULL,
	"kept_at" timestamptz DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "package_file" ADD CONSTRAINT "package_file_package_package_sha256_fk" FOREIGN KEY ("package") REFERENCES "public"."package"("sha256") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "package_file" ADD CONSTRAINT "package_file_content_content_sha256_fk" FOREIGN KEY ("content") REFERENCES "public"."content"("sha256") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "package_lock" ADD CONSTRAINT "package_lock_version" FOREIGN KEY ("artifact_id","version_number") REFERENCES "public"."version"("artifact_id","version_number") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "package_use" ADD CONSTRAINT "package_use_package_package_sha256_fk" FOREIGN KEY ("package") REFERENCES "public"."package"("sha256") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "package_use" ADD CONSTRAINT "package_use_lock" FOREIGN KEY ("artifact_id","version_number") REFERENCES "public"."package_lock"("artifact_id","version_number") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "package_file_content" ON "package_file" USING btree ("content");--> statement-breakpoint
CREATE INDEX "package_use_package" ON "package_use" USING btree ("package");--> statement-breakpoint
CREATE INDEX "package_name" ON "package" USING btree ("name","version");